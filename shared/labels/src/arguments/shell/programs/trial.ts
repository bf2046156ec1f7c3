import type { Call } from '../call.js'

const TRIAL =
  /^(?:--(?:dry-?run(?:=(?:true|client|server))?|what-?if|simulate|preview|no-act|syntax-check|list-(?:tasks|hosts))|-WhatIf)$/i
const PLANS = /^(?:terraform|tofu|terragrunt)$/

/** Whether a command only says what it would do. */
export const isTrial = ({ name, args }: Pick<Call, 'name' | 'args'>): boolean =>
  args.some((arg) => TRIAL.test(arg)) ||
  (name === 'ansible-playbook' && args.some((arg) => arg === '--check' || arg === '-C')) ||
  (PLANS.test(name) && args.includes('plan'))
