import { ACTS } from './naive/naive-integrity.js'
import { ESCALATIONS, EXPOSURES, LEVELS, REVERSIBILITIES, TAINTS, type Decision } from '@plimsoll/contracts'
import { escalationOf, exposureOf, reversibilityOf, type SessionState } from '@plimsoll/engine'
import type { Expected, NaiveSession } from './naive/naive-session.js'

/** Where the engine's state and decision are not what the naive model expects; empty where they agree. */
export function differencesFrom(
  session: NaiveSession,
  expected: Expected | undefined,
  state: SessionState,
  decision: Decision | undefined,
): string[] {
  const found = difference('state', session, inWords(state))
  const judged = decision?.kind === 'step' || decision?.kind === 'approval' ? decision : undefined
  if (!expected || !judged) return expected || judged ? [...found, 'only one of the two has decided'] : found
  const { verdict, mode, risk } = judged
  const reasons = judged.reasons.map(({ source, code }) => `${source}:${code}`).sort()
  const reported = {
    verdict,
    mode,
    reasons: reasons.join(),
    permitted: judged.approval && permittedIn(judged.approval),
    hazard: risk?.hazard,
    probability: risk?.probability,
    band: risk?.band,
    provenance: risk?.provenance && JSON.stringify(risk.provenance),
    evidence: risk?.evidence,
  }
  return [...found, ...difference('decision', { ...expected, reasons: expected.reasons.join() }, reported)]
}

const permittedIn = ({ scopes, always }: NonNullable<Decision['approval']>): string =>
  `${scopes.join()}${always ? `:${always.days},${always.arguments}` : ''}`

const inWords = (state: SessionState): NaiveSession => ({
  category: state.category,
  exposure: EXPOSURES[exposureOf(state.safety)] ?? '',
  escalation: ESCALATIONS[escalationOf(state.safety)] ?? '',
  reversibility: REVERSIBILITIES[reversibilityOf(state.safety)] ?? '',
  level: LEVELS[state.level] ?? '',
  taint: TAINTS[state.taint] ?? '',
  band: state.band,
  steps: state.steps,
  held: state.held,
  codeWritten: state.codeWritten,
  filesMayHold: state.filesMayHold,
  approvals: state.approvals.map(({ id }) => id).join(),
  delegated: state.delegated,
  asks: ACTS.filter((_, i) => (state.asked & (1 << i)) !== 0).join(' '),
})

/** Compares the members that `actual` has. */
function difference(what: string, expected: object, actual: object): string[] {
  const found: string[] = []
  for (const member of Object.keys(actual)) {
    const [want, got]: unknown[] = [Reflect.get(expected, member), Reflect.get(actual, member)]
    if (want !== got)
      found.push(
        `${what}: the naive model expects ${member} ${JSON.stringify(want)}, the engine has ${JSON.stringify(got)}`,
      )
  }
  return found
}
