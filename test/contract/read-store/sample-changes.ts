import type { Change } from '@plimsoll/console'
import { type Decision, decisionId, tenantOf } from '@plimsoll/contracts'

const DIGEST = 'd'.repeat(64)
const VERSIONS = { bundle: 'b', policy: 'p', catalogue: 'c', engine: '10' }

interface Decided {
  readonly sessionId: string
  readonly eventId: string
  readonly callId: string
  readonly kind?: Decision['kind']
  readonly verdict?: Decision['verdict']
  readonly step?: number
  readonly probability?: number
  readonly time: number
}

/** A decision; `confirm` waits for ten minutes. */
export function sampleDecision(over: Decided): Decision {
  const {
    sessionId,
    eventId,
    callId,
    kind = 'step',
    verdict = 'allow',
    step = 1,
    probability = 0.1,
    time,
  } = over
  return {
    schema: 1,
    id: decisionId(sessionId, eventId, kind),
    kind,
    sessionId,
    tenant: tenantOf(sessionId),
    mode: 'enforce',
    eventId,
    callId,
    tool: 'send_email',
    argumentsDigest: DIGEST,
    verdict,
    reasons:
      verdict === 'allow'
        ? []
        : [{ source: 'confirmation', code: 'ask-mail', verdict, message: 'mail leaves the organisation' }],
    ...(verdict === 'confirm' && { expiresAt: time + 600_000 }),
    risk: {
      category: 'aggregate',
      exposure: 'sensitive',
      escalation: 'network',
      reversibility: 'partial',
      level: 'critical',
      taint: 'data',
      hazard: 0.05,
      horizon: 5,
      probability,
      stepsToViolation: 3,
      band: 1,
      violations: 0,
      withoutVerdict: 0,
      blocked: 0,
    },
    versions: VERSIONS,
    facts: {},
    step,
    time,
  }
}

/** What both topics have of a session: a step that ran, a step that was asked about and approved, and its end. */
export function sampleSession(
  sessionId: string,
  startMs = 1_000,
): { readonly events: readonly Change[]; readonly decisions: readonly Change[] } {
  const at = (offset: number) => ({ offset, timeMs: startMs + offset, sessionId })
  const proposed = (offset: number, eventId: string, callId: string): Change => ({
    ...at(offset),
    kind: 'proposed',
    eventId,
    callId,
    tool: 'send_email',
    argumentsDigest: DIGEST,
    effects: [{ act: 'send', object: 'person', certainty: 'understood' }],
    labels: { capability: 'network' },
    arguments: { lines: ['to: "a@example.org"'], isWhole: true, isCut: false },
  })
  const decided = (
    offset: number,
    over: Omit<Decided, 'sessionId' | 'time'> & { readonly at: number },
  ): Change => ({
    offset,
    timeMs: startMs + offset,
    kind: 'decided',
    decision: sampleDecision({ ...over, sessionId, time: startMs + over.at }),
  })
  const asked = decisionId(sessionId, 'e3', 'step')
  const answer = { resolution: 'approved', by: 'ines', at: startMs + 5, scope: 'once' } as const
  return {
    events: [
      {
        ...at(0),
        kind: 'started',
        agent: 'scribe',
        category: 'research_comms',
        client: 'desk',
        task: 'Write it.',
        parent: undefined,
        root: sessionId,
      },
      proposed(1, 'e1', 'c1'),
      { ...at(2), kind: 'completed', callId: 'c1', outcome: 'ok' },
      proposed(3, 'e3', 'c2'),
      { ...at(4), kind: 'note', id: 'e4', type: 'session.instructed', text: 'and send it' },
      { ...at(5), kind: 'answer', eventId: 'a5', decisionId: asked, answer },
      { ...at(6), kind: 'completed', callId: 'c2', outcome: 'error' },
      { ...at(7), kind: 'ended' },
      {
        ...at(8),
        kind: 'appealed',
        id: 'a8',
        type: 'decision.appealed',
        text: 'ines says it should be allow',
        decisionId: asked,
        callId: 'c2',
        tool: 'send_email',
        verdict: 'confirm',
        expected: 'allow',
        reasons: ['confirmation:ask-mail'],
        by: 'ines',
        reason: 'it was asked for',
      },
    ],
    decisions: [
      decided(0, { eventId: 'e1', callId: 'c1', at: 1 }),
      decided(1, { eventId: 'e3', callId: 'c2', verdict: 'confirm', step: 2, probability: 0.4, at: 3 }),
      decided(2, { eventId: 'a5', callId: 'c2', kind: 'approval', step: 2, probability: 0.3, at: 5 }),
    ],
  }
}
