import { randomUUID } from 'node:crypto'
import {
  type EventOf,
  PlimsollError,
  approvalRecord,
  openArguments,
  parseDecisionId,
} from '@plimsoll/contracts'
import { type PendingCall, pendingOf } from '@plimsoll/engine'
import { argumentLines } from '@plimsoll/labels'
import { findProposals, findSession } from '@plimsoll/operations'
import { type SessionStore, redisSettings } from '@plimsoll/runtime'
import { defaultApprover, findRequest } from '../../approval-places.js'
import { answerAt, assertDeployment, placeSettings } from './approvals.js'
import { assertCounts, isConfirmed, verdictOn, watchAnswer } from './watch-answer.js'
import { defineCommand, environmentOf, flag, text } from '../../command.js'
import { configOf, openLog, openStore, signedSettings, waitOption, within } from '../../deployment.js'
import { plainText, timeText } from '../../format/text.js'

/**
 * The call that waits for the answer to `decisionId`, from the session's record.
 *
 * @throws PlimsollError `session_state_lost`, `record_invalid`, `record_too_new`, `approval_unknown`, `approval_expired`
 */
export async function findPending(
  store: Pick<SessionStore, 'load'>,
  sessionId: string,
  decisionId: string,
  nowMs: number,
): Promise<PendingCall> {
  const session = await findSession(store, sessionId)
  if (!session) throw new PlimsollError('session_state_lost', `session \`${sessionId}\` has no record`)
  const pending = pendingOf(session.state, decisionId)
  if (!pending)
    throw new PlimsollError(
      'approval_unknown',
      `decision \`${decisionId}\` waits for no approval: it did not ask, or was answered already`,
    )
  assertOpen(pending, nowMs)
  return pending
}

/** Throws `approval_expired` where an answer would come too late. */
export function assertOpen({ decisionId, expiresAt }: PendingCall, nowMs: number): void {
  if (expiresAt > nowMs) return
  throw new PlimsollError(
    'approval_expired',
    `decision \`${decisionId}\` expired at ${timeText(expiresAt)}; the agent may propose the step again`,
  )
}

/** What a human sees before the answer: the step first, then each argument on its own lines. */
export function pendingText(
  { tool, argumentsDigest, shown, lineEvidence: evidence, expiresAt }: PendingCall,
  sessionId: string,
  reported: StepArguments,
): string {
  const lines = reported.values ? argumentLines(reported.values) : []
  return [
    row('tool', tool),
    row('arguments', reported.isWhole ? WHOLE : `${reported.problem} (digest ${argumentsDigest})`),
    ...lines.map((line) => `  ${plainText(line)}\n`),
    row('session', sessionId),
    row('reasons', shown.join(', ')),
    row('sensitive data in it', evidence),
    row('expires', timeText(expiresAt)),
  ].join('')
}

const WHOLE = 'all of them, as the digest that is approved proves'

const row = (name: string, value: string): string => `${name.padEnd(20)}  ${plainText(value)}\n`

type Values = Readonly<Record<string, unknown>>

/** What can be shown of a step's arguments. */
export type StepArguments =
  | { readonly isWhole: true; readonly values: Values }
  | {
      readonly isWhole: false
      /** Those that are disclosed; undefined where none are. Nothing proves that the step has them, nor that it has no others. */
      readonly values: Values | undefined
      /** What is wrong, as half a sentence. */
      readonly problem: string
      /** The process that proposed the step, and has its arguments; undefined where the log does not say. */
      readonly producer: string | undefined
    }

/** The arguments of a step, from the proposals in the log. */
export function stepArguments(proposals: readonly EventOf<'step.proposed'>[]): StepArguments {
  for (const proposal of proposals) {
    const values = openArguments(proposal)
    if (values) return { isWhole: true, values }
  }
  const [first] = proposals
  if (!first) return unseen('its proposal is not in the log any more', undefined)
  const { arguments: values, argumentsSalt, producer } = first
  const isForged = argumentsSalt !== undefined || proposals.some((each) => !isSame(each.arguments, values))
  if (isForged) return unseen('the arguments in the log are not those of the step', producer)
  if (!values || Object.keys(values).length === 0) return unseen('none is disclosed', producer)
  return { ...unseen('disclosed in part, and nothing proves them', producer), values }
}

const unseen = (problem: string, producer: string | undefined) =>
  ({ isWhole: false, values: undefined, problem, producer }) as const

/** Lists in each other without end have no text: they are not taken for the same. */
function isSame(a: unknown, b: unknown): boolean {
  try {
    return JSON.stringify(a) === JSON.stringify(b)
  } catch {
    return false
  }
}

/** Throws `arguments_unseen`, naming who can show them, where not all arguments of the step `tool` can be shown. */
export function assertSeen(tool: string, reported: StepArguments): void {
  if (reported.isWhole) return
  const { problem, producer } = reported
  const holder = producer === undefined ? 'its host' : `\`${producer}\`, which proposed it`
  const rule = `disclose: [{ tools: ['${tool}'], arguments: ['*'] }]`
  const gateway = `PLIMSOLL_GATEWAY_DISCLOSE=${tool}`
  throw new PlimsollError(
    'arguments_unseen',
    `nothing was published, because you cannot see here what \`${tool}\` would do: of its arguments, ${problem}. They are with ${holder}: approve it there (an MCP client asks its user), or set \`${rule}\` in that client, \`${gateway}\` at a gateway. \`--deny\` needs no sight; \`--unseen\` approves without`,
  )
}

const settings = { ...signedSettings, ...redisSettings }

const ALWAYS_ELSEWHERE =
  '`--always` is for requests of `plimsoll mcp` on this machine. In a deployment label the tool in the catalogue or change the policy, which are reviewed and versioned'

export const approve = defineCommand({
  name: 'approve',
  summary: 'answers an approval request',
  description:
    'Shows the step with its arguments and asks you; then answers it. Finds the request on this machine (`plimsoll mcp`), at the gateway of `PLIMSOLL_GATEWAY_URL` with a key that may approve, or else over Kafka, where it publishes a signed answer. The approval lifts only the reasons shown, for these arguments, once; with `--session`, for like steps of the session until it expires; with `--always`, for those of later sessions of `plimsoll mcp` on this machine too. The step is judged again before it runs. Arguments come from the log, if the client discloses all of them, and are checked by the digest that you approve. Otherwise it approves nothing without `--unseen`, and names who can show them. Waits for the monitor, and fails unless the monitor decides as you answered.',
  operands: [['<DECISION_ID>', 'the id of a decision with the verdict `confirm`']],
  options: {
    by: text('NAME', 'who answers; the new decision names them; default: your user name'),
    deny: flag('denies the step instead'),
    session: flag('approves like steps of the session too, where the policy permits it'),
    always: flag('approves like steps of later sessions on this machine too, where the policy permits it'),
    reason: text('TEXT', 'why, for the record'),
    yes: flag('publishes without asking; required without a terminal'),
    unseen: flag('approves even if not all arguments can be shown'),
    ...waitOption,
  },
  environment: environmentOf({ ...settings, ...placeSettings }),
  examples: [
    ["'s-1#e-9#step' --by ines", 'shows the step, asks, and lets it run'],
    ["'s-1#e-9#step' --by ines --deny --reason 'wrong recipient'", 'does not let it run'],
  ],
  async run(options, operands, context) {
    const { by = defaultApprover(), deny, session, always, reason, yes, unseen, wait } = options
    if ([deny, session, always].filter(Boolean).length > 1)
      throw new PlimsollError(
        'usage_invalid',
        '`--deny` denies, `--session` and `--always` approve: give one of them',
      )
    const { env, stdout, stderr, ask, signal } = context
    // Some shells pass the quotes of the command in the answer on.
    const decisionId = (operands[0] ?? '').replace(/^'(.*)'$/, '$1')
    const sessionId = parseDecisionId(decisionId)?.sessionId
    if (sessionId === undefined)
      throw new PlimsollError('usage_invalid', `\`${decisionId}\` is no decision id`)
    const found = await findRequest(decisionId, env)
    if (found) {
      const approval = {
        resolution: deny ? 'denied' : 'approved',
        by,
        ...(reason !== undefined && { reason }),
        ...((session || always) && { scope: 'session' as const }),
        ...(always && { isToKeep: true }),
      } as const
      return answerAt(found, approval, { isSure: yes, mayBeUnseen: unseen }, context)
    }
    assertDeployment(decisionId, env)
    if (always) throw new PlimsollError('usage_invalid', ALWAYS_ELSEWHERE)
    const config = configOf(settings, env)
    return within(async (onRelease) => {
      const store = openStore(config, onRelease)
      const pending = await findPending(store, sessionId, decisionId, Date.now())
      const resolution = deny ? 'denied' : 'approved'
      const scope = session ? 'session' : undefined
      const id = `approval-${randomUUID()}`
      const { argumentsDigest, expiresAt } = pending
      const asked = { sessionId, decisionId, argumentsDigest, expiresAt }
      const recordAt = (timeMs: number) => {
        const answer = { id, producer: 'plimsoll-cli', timeMs, resolution, scope, by, reason } as const
        return approvalRecord({ ...asked, ...answer }, config.signingKey)
      }
      assertCounts(recordAt(Date.now()))
      const { log, topics } = openLog(config, onRelease)
      await log.ping()
      const search = { log, topic: topics.events, sessionId, step: pending, expiresMs: expiresAt, signal }
      const reported = stepArguments(await findProposals(search))
      stdout.write(pendingText(pending, sessionId, reported))
      if (!deny && !unseen) assertSeen(pending.tool, reported)
      if (!yes && !(await isConfirmed(ask, deny ? 'deny' : 'approve'))) {
        stderr.write('plimsoll: nothing was published\n')
        return 1
      }
      // It may have taken them long to answer.
      assertOpen(pending, Date.now())
      const watch = await watchAnswer(log, topics, id, signal)
      await log.produce(topics.events, [recordAt(Date.now())])
      stdout.write(`${resolution} by ${by}; the monitor judges it once more\n`)
      const { exitCode, text, failure } = verdictOn(await watch.answer(wait * 1000), resolution, wait)
      stdout.write(text)
      if (failure !== undefined) stderr.write(`plimsoll: ${failure}\n`)
      return exitCode
    })
  },
})
