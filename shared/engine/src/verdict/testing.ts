import type { Evidence } from '@plimsoll/contracts'
import type { ToolRule } from '../rules.js'
import { type RulesOptions, codesOf, createSampleSession, sampleRules } from '../testing.js'

type Lifts = ToolRule['allowlist'][number]['lifts']
/** An allowlist that lifts these sources. */
export const allow = (...lifts: Parameters<Lifts['has']>[0][]) => [{ id: 'known', lifts: new Set(lifts) }]

/** Verdict and reasons of `tool`, proposed after `before` ran. */
export function judged(
  tool: string,
  options: RulesOptions = {},
  before: readonly string[] = [],
  evidence?: Evidence,
) {
  const session = createSampleSession({ rules: sampleRules(options) })
  for (const earlier of before) session.propose(earlier)
  const outcome = session.propose(tool, evidence ? { evidence: { sensitive: evidence } } : {})
  return [outcome.decision?.verdict, codesOf(outcome)] as const
}
