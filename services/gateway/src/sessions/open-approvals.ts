import { randomUUID } from 'node:crypto'
import { type Approval, approvalLines, causeOf } from '@plimsoll/client'
import type { DecisionRecord } from '@plimsoll/client/services'
import { answerOf } from '@plimsoll/client/services'
import {
  type ApprovalScope,
  type Decision,
  type HttpApproval,
  type Topics,
  PlimsollError,
  approvalRecord,
  decisionSchema,
  parseJson,
} from '@plimsoll/contracts'
import type { EventLog } from '@plimsoll/runtime'
import { LRUCache } from 'lru-cache'
import { type PublishAppeal, createAppeals } from './appeals.js'
import { charsIn } from './event-intake.js'

/** Publishes an answer, signed with the deployment's key, for the monitors to decide the step again. Returns the event's id. */
export type PublishApproval = (decision: Decision, approval: Approval) => Promise<string>

export function createPublishApproval(
  log: Pick<EventLog, 'produce'>,
  { events }: Pick<Topics, 'events'>,
  signingKey: string,
): PublishApproval {
  return async ({ id: decisionId, sessionId, argumentsDigest, expiresAt = 0 }, approval) => {
    const id = `approval-${randomUUID()}`
    const asked = { sessionId, decisionId, argumentsDigest, expiresAt }
    const event = { ...asked, ...approval, id, producer: 'plimsoll-gateway', timeMs: Date.now() }
    await log.produce(events, [approvalRecord(event, signingKey)])
    return id
  }
}

/** The permitted scopes but `always`, which is for places that keep approvals: no event records it. */
export const recordedScopes = ({ approval }: Pick<Decision, 'approval'>): ApprovalScope[] =>
  approval?.scopes.filter((scope) => scope !== 'always') ?? ['once']

/** Throws `schema_invalid` for a scope that the policy does not permit: no monitor would take the answer. */
function assertScope(decision: Decision, { scope = 'once' }: Approval): void {
  if (recordedScopes(decision).includes(scope)) return
  throw new PlimsollError(
    'schema_invalid',
    `scope: the policy permits only \`once\` for decision \`${decision.id}\``,
  )
}

/** Requests that are kept; the oldest one beyond is no longer listed here, and can be answered with `plimsoll approve` over Kafka. */
const OPEN_MAX = 10_000
/** Arguments kept of steps whose decision is awaited: steps, and characters in total. */
const ASKED_MAX = 2_000
const ASKED_CHARS_MAX = 32 * 1024 * 1024
/** Longest wait for the decision on an answer, milliseconds. */
const DECISION_MS_MAX = 10_000
/** Decisions that matter here contain one of these; the others are not parsed. */
const MARKS = ['"verdict":"confirm"', '"verdict":"block"', '"kind":"approval"'].map((mark) =>
  Buffer.from(mark),
)

export interface OpenApprovalsOptions {
  /** Undefined without a signing key: requests are listed and cannot be answered here. */
  readonly publish: PublishApproval | undefined
  readonly publishAppeal?: PublishAppeal | undefined
  readonly now: () => number
}

type Arguments = Readonly<Record<string, unknown>>

/** With the digest: an agent may propose one step twice, with arguments to be seen and others to run. */
const proposalOf = ({ sessionId, eventId, argumentsDigest }: Proposed): string =>
  `${sessionId} ${eventId} ${argumentsDigest}`

type Proposed = Pick<Decision, 'sessionId' | 'eventId' | 'argumentsDigest'>

export type OpenApprovals = ReturnType<typeof createOpenApprovals>

/** The approval requests of the deployment since this gateway started, from its decisions. */
export function createOpenApprovals({ publish, publishAppeal, now }: OpenApprovalsOptions) {
  const appeals = createAppeals(publishAppeal)
  const open = new LRUCache<string, Decision>({ max: OPEN_MAX })
  /** Arguments of proposed steps, until it is known whether a human is asked. */
  const asked = new LRUCache<string, Arguments>({
    max: ASKED_MAX,
    maxSize: ASKED_CHARS_MAX,
    sizeCalculation: (values) => charsIn(values, ASKED_CHARS_MAX),
  })
  /** The steps for a human, by decision; known of those whose texts this gateway has seen. */
  const lines = new LRUCache<string, readonly string[]>({ max: OPEN_MAX })
  /** Those that wait for the decision on their answer, by the answer's event id. */
  const waiting = new Map<string, (decision: Decision) => void>()
  const keyOf = ({ sessionId, callId }: Decision): string => `${sessionId} ${callId}`

  function list(tenant: string): readonly Decision[] {
    const all = [...open.values()].filter((each) => each.tenant === tenant && (each.expiresAt ?? 0) > now())
    return all.sort((a, b) => (a.expiresAt ?? 0) - (b.expiresAt ?? 0))
  }

  function waitFor(eventId: string): Promise<Decision | undefined> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => settle(undefined), DECISION_MS_MAX)
      const settle = (decision: Decision | undefined): void => {
        clearTimeout(timer)
        waiting.delete(eventId)
        resolve(decision)
      }
      waiting.set(eventId, settle)
    })
  }

  return {
    /** Takes a decision of the log. */
    receive: ({ value }: DecisionRecord): void => {
      const bytes = typeof value === 'string' ? Buffer.from(value) : value
      if (!bytes || !MARKS.some((mark) => Buffer.from(bytes).includes(mark))) return
      const { data } = decisionSchema.safeParse(parseJson(bytes))
      if (!data) return
      appeals.receive(data)
      if (data.verdict === 'confirm' && data.expiresAt !== undefined) {
        open.set(keyOf(data), data)
        const values = asked.get(proposalOf(data))
        if (values && !lines.has(data.id))
          lines.set(data.id, approvalLines(answerOf(data), { arguments: values }))
      } else if (data.kind === 'approval') open.delete(keyOf(data))
      waiting.get(data.eventId)?.(data)
    },
    /** Notes the arguments of a proposed step, to show them if it waits for a human. */
    proposed: (event: Proposed, values: Arguments): void => void asked.set(proposalOf(event), values),
    /** Adds what a human sees of a step. */
    describe: (decisionId: string, shown: readonly string[]): void => void lines.set(decisionId, shown),
    appeal: appeals.appeal,
    list: (tenant: string): readonly HttpApproval[] =>
      list(tenant).map((decision) => ({
        decisionId: decision.id,
        sessionId: decision.sessionId,
        tool: decision.tool,
        message: causeOf(answerOf(decision)),
        lines: [...(lines.get(decision.id) ?? [])],
        scopes: recordedScopes(decision),
        expiresAt: decision.expiresAt ?? 0,
      })),
    /**
     * Answers a request of the tenant; resolves with the new decision, or undefined if no monitor decides in time. Rejects with
     * `approval_unknown`, and with `forbidden` without a signing key.
     */
    answer: async (tenant: string, decisionId: string, approval: Approval): Promise<Decision | undefined> => {
      const decision = list(tenant).find(({ id }) => id === decisionId)
      if (!decision)
        throw new PlimsollError(
          'approval_unknown',
          `decision \`${decisionId}\` waits for no approval here: it did not ask, was answered, or has expired`,
        )
      if (!publish)
        throw new PlimsollError('forbidden', 'this gateway has no signing key: set `PLIMSOLL_SIGNING_KEY`')
      assertScope(decision, approval)
      return waitFor(await publish(decision, approval))
    },
  }
}
