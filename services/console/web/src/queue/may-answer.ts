import type { Me } from '../../../src/api.js'

/** Why somebody may not answer questions of a tenant, as a sentence; undefined if they may. */
export function whyNot({ answers, roles }: Me, tenant: string): string | undefined {
  if (!answers) return 'This console has no signing key: answer with the command line.'
  const role = Object.hasOwn(roles, tenant) ? roles[tenant] : roles['*']
  if (role === undefined || role === 'viewer')
    return 'You may look, but not answer: ask for the role approver.'
  return undefined
}
