import {
  logged,
  digestOf,
  sign,
  type Control,
  type ControlOf,
  type Decision,
  type Event,
  type EventOf,
  type PartitionReport,
  type ShadowRecord,
} from '@plimsoll/contracts'
import { advance, type SessionState } from '@plimsoll/engine'
import { compileRules, createPinnedRules, defaultDocuments } from '@plimsoll/policy'

/** Known to all: a signature in an example is none. */
const KEY = 'the key of the examples, known to all'
const START = Date.UTC(2026, 10, 22)
/** When the mail is proposed, and how long the policy that ships has questions wait. */
const ASKED_AT = START + 3000
const APPROVAL_TTL_MS = 900_000
const SESSION = 'acme~run-7'
const VERSION = '0f1e2d3c4b5a69788796a5b4c3d2e1f0'

/** What the examples of the reference are made of: a session that reads a customer's file and mails it, as the engine judges it. */
export interface Samples {
  readonly events: readonly Event[]
  /** By what they show. */
  readonly decisions: Readonly<Record<'allow' | 'confirm' | 'approval' | 'refusal', Decision>>
  readonly controls: readonly Control[]
  readonly report: PartitionReport
  readonly shadow: ShadowRecord
}

export async function makeSamples(): Promise<Samples> {
  const agents = agentEvents()
  const decisions = decisionsOn([...agents, outOfOrder], await defaultDocuments())
  const [allow, confirm, approval, refusal] = decisions
  if (!allow || !confirm || !approval || !refusal) throw new Error('the example session has four decisions')
  return {
    events: [...agents, instructed, deadline, refined, labelled, appealed, granted, revoked, ended],
    decisions: { allow, confirm, approval, refusal },
    controls: sampleControls,
    shadow: shadowOn(confirm),
    report: sampleReport,
  }
}

function decisionsOn(events: readonly Event[], documents: Parameters<typeof compileRules>[0]): Decision[] {
  const pinnedRules = createPinnedRules(compileRules(documents))
  const decisions: Decision[] = []
  let state: SessionState | undefined
  for (const [i, event] of events.entries()) {
    const outcome = advance(state, logged(event, START + 1000 * i), pinnedRules)
    state = outcome.state
    if (outcome.decision) decisions.push(outcome.decision)
  }
  return decisions
}

const ofAgent = (seq: number) => ({
  schema: 1 as const,
  id: `e-${seq}`,
  sessionId: SESSION,
  producer: 'agent-1',
  seq,
  time: START + 1000 * seq,
})
const internal = (id: string) => ({
  schema: 1 as const,
  id,
  sessionId: SESSION,
  producer: 'plimsoll',
  seq: 0,
  time: START,
})

function agentEvents(): Event[] {
  const read = { callId: 'c-1', tool: 'get_customer' }
  const mail = { callId: 'c-2', tool: 'send_email' }
  const argumentsDigest = digestOf({ to: 'someone@example.org', body: '…' })
  return [
    { ...ofAgent(0), type: 'session.started', category: 'data_handling', agent: 'support-bot' },
    { ...ofAgent(1), type: 'step.proposed', ...read, argumentsDigest: digestOf({ id: 7 }) },
    { ...ofAgent(2), type: 'step.completed', ...read, outcome: 'ok' },
    { ...ofAgent(3), type: 'step.proposed', ...mail, argumentsDigest },
    sign<EventOf<'approval.resolved'>>(
      {
        ...internal('approval-1'),
        type: 'approval.resolved',
        decisionId: `${SESSION}#e-3#step`,
        argumentsDigest,
        expiresAt: ASKED_AT + APPROVAL_TTL_MS,
        resolution: 'approved',
        by: 'ines',
      },
      KEY,
    ),
    { ...ofAgent(4), type: 'step.completed', ...mail, outcome: 'ok' },
  ]
}

/** A number too far on: the refusal names the missing number. */
const outOfOrder: Event = {
  ...ofAgent(9),
  type: 'step.proposed',
  callId: 'c-3',
  tool: 'send_email',
  argumentsDigest: digestOf({}),
}

const deadline = sign<EventOf<'deadline.reached'>>(
  {
    ...internal('deadline:approval:e-3'),
    type: 'deadline.reached',
    due: { kind: 'approval', decisionId: `${SESSION}#e-3#step` },
    dueAt: START + 903_000,
  },
  KEY,
)

const refined = sign<EventOf<'labels.refined'>>(
  {
    ...internal('refined:1'),
    type: 'labels.refined',
    decisionId: `${SESSION}#e-3#step`,
    callId: 'c-2',
    tool: 'file_ticket',
    labels: { capability: 'network', trust: 'trusted', reversibility: 'partial' },
    effect: 'raise',
    by: 'a-model',
    reason: 'sends what it is given to another system',
  },
  KEY,
)

const labelled = sign<EventOf<'session.labelled'>>(
  {
    ...internal('labelled:1'),
    type: 'session.labelled',
    violated: true,
    callId: 'c-2',
    by: 'ines',
    reason: 'the ticket carried a customer record to another system',
  },
  KEY,
)

const appealed = sign<EventOf<'decision.appealed'>>(
  {
    ...internal('appealed:1'),
    type: 'decision.appealed',
    decisionId: 'support-7#e-3#step',
    callId: 'c-3',
    tool: 'close_ticket',
    verdict: 'confirm',
    expected: 'allow',
    reasons: ['irreversible:irreversible_not_asked'],
    versions: { bundle: '1'.repeat(32), policy: '2'.repeat(32), catalogue: '3'.repeat(32), engine: '10' },
    by: 'ines',
    reason: 'the customer asked for it',
  },
  KEY,
)

const granted = sign<EventOf<'declassification.granted'>>(
  {
    ...internal('declassified:1'),
    type: 'declassification.granted',
    spec: 'no-customer-data-out',
    by: 'ines',
    reason: 'the customer asked for this file to be sent to them',
  },
  KEY,
)

const revoked = sign<EventOf<'approval.revoked'>>(
  {
    ...internal('revoked:1'),
    type: 'approval.revoked',
    approval: 'approval-1',
    by: 'ines',
    reason: 'the migration is done',
  },
  KEY,
)

const instructed: Event = {
  ...ofAgent(5),
  type: 'session.instructed',
  fingerprints: ['aq7xk2mf', 'wc5lz3ta'],
}

const ended: Event = { ...ofAgent(6), type: 'session.ended', outcome: 'completed' }

const change = (id: string, seconds: number) => ({
  schema: 1 as const,
  id,
  partition: 3,
  time: START + 1000 * seconds,
  by: 'ines',
})
const activated = sign<ControlOf<'versions.activated'>>(
  {
    ...change('change-1', 0),
    type: 'versions.activated',
    versions: { policy: VERSION },
    running: true,
    reason: 'stricter about e-mail',
  },
  KEY,
)
const sampleControls: readonly Control[] = [
  activated,
  sign<ControlOf<'mode.changed'>>(
    {
      ...change('change-2', 60),
      type: 'mode.changed',
      tenant: 'acme',
      agent: 'support-bot',
      mode: 'observe',
    },
    KEY,
  ),
  sign<ControlOf<'fleet.stopped'>>(
    { ...change('change-3', 120), type: 'fleet.stopped', reason: 'a leak is looked into' },
    KEY,
  ),
  sign<ControlOf<'fleet.resumed'>>({ ...change('change-4', 180), type: 'fleet.resumed' }, KEY),
  sign<ControlOf<'shadow.changed'>>(
    {
      ...change('change-5', 240),
      type: 'shadow.changed',
      candidate: { bundle: VERSION },
      reason: 'refitted on this month',
    },
    KEY,
  ),
]

const sampleReport = sign<PartitionReport>(
  {
    schema: 1,
    partition: 3,
    offset: '1234',
    control: activated.id,
    controls: {
      base: { active: {}, running: {}, stops: [], modes: [], time: 0 },
      changes: [{ offset: '1234', control: activated }],
    },
  },
  KEY,
)

/** What a candidate that would have let the step run says beside `decision`. */
function shadowOn(decision: Decision): ShadowRecord {
  const { id, sessionId, tenant, tool, step, time, verdict, risk, versions } = decision
  if (!risk || !versions) throw new Error('the example is a decision on a step')
  const { category, hazard, probability, band } = risk
  const { bundle, policy, catalogue } = versions
  const reasons = decision.reasons.map(({ source, code, verdict }) => ({ source, code, verdict }))
  const active = { bundle, policy, catalogue, verdict, category, hazard, probability, band, reasons }
  return {
    schema: 1,
    decisionId: id,
    sessionId,
    tenant,
    tool,
    step,
    time,
    decided: verdict,
    active,
    candidate: {
      ...active,
      bundle: VERSION,
      verdict: 'allow',
      hazard: 0.002,
      probability: 0.004,
      band: 0,
      reasons: [],
    },
    causes: reasons.map(({ source, code }) => ({ source, code, how: 'silent' })),
  }
}
