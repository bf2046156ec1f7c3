import { randomUUID } from 'node:crypto'
import { approvalRecord, parseDecisionId, PlimsollError, topicsOf } from '@plimsoll/contracts'
import { findProposals } from '@plimsoll/operator'
import { checkKafkaSettings, parseConfig, redisSettings } from '@plimsoll/runtime'
import { createKafkaLog, kafkaConnectionOf } from '@plimsoll/runtime/kafka'
import { createRedisStore } from '@plimsoll/runtime/redis'
import { assertCounts } from '../approve/check-record.js'
import { assertOpen, findPending, pendingText } from '../approve/pending.js'
import { assertSeen, stepArguments } from '../approve/step-arguments.js'
import { verdictOn } from '../approve/verdict.js'
import { watchAnswer } from '../approve/watch-answer.js'
import { defineCommand, type Context } from '../command.js'
import { environmentOf } from '../environment.js'
import { signedSettings, waitOption } from '../pipeline/signed.js'
import { within } from '../pipeline/within.js'

const settings = { ...signedSettings, ...redisSettings }

export const approve = defineCommand({
  name: 'approve',
  summary: 'answers a decision that asks a human',
  description: [
    'Shows the step with its arguments and asks; then publishes a signed answer. The step is judged once more before it runs: the',
    'approval lifts the reasons that were shown and no others, for these arguments and this once.',
    'Arguments come from the log, where the client discloses all of them, and are checked by the digest that is approved. Where they',
    'are not all there, it approves nothing without `--unseen`, and names who can show them.',
    'Waits for what the monitor makes of it, and fails unless that is what was answered.',
  ],
  operands: { name: 'DECISION_ID', help: 'the id of the decision that says `confirm`', min: 1, max: 1 },
  options: {
    by: { type: 'text', value: 'NAME', help: 'who answers; the decision names them', required: true },
    deny: { type: 'flag', help: 'denies the step instead' },
    reason: { type: 'text', value: 'TEXT', help: 'why, for the record' },
    yes: { type: 'flag', help: 'publishes without asking; without a terminal nothing else does' },
    unseen: { type: 'flag', help: 'approves although the arguments cannot all be shown' },
    ...waitOption,
  },
  environment: environmentOf(settings),
  examples: [
    ["'s-1#e-9#step' --by ines", 'shows the step, asks, and lets it run'],
    ["'s-1#e-9#step' --by ines --deny --reason 'wrong recipient'", 'does not let it run'],
  ],
  async run({ by, deny, reason, yes, unseen, wait }, operands, { env, stdout, stderr, ask, signal }) {
    const decisionId = operands[0] ?? ''
    const sessionId = parseDecisionId(decisionId)?.sessionId
    if (sessionId === undefined)
      throw new PlimsollError('usage_invalid', `\`${decisionId}\` is no decision id`)
    const config = parseConfig(settings, env, { prefixes: [], checks: [checkKafkaSettings] })
    return within(async (onRelease) => {
      const store = createRedisStore({ url: config.redisUrl, prefix: config.redisPrefix })
      onRelease(() => store.close())
      const pending = await findPending(store, sessionId, decisionId, Date.now())
      const resolution = deny ? 'denied' : 'approved'
      const id = `approval-${randomUUID()}`
      const { argumentsDigest, expiresAt } = pending
      const asked = { sessionId, decisionId, argumentsDigest, expiresAt }
      const answerAt = (timeMs: number) => {
        const answer = { id, producer: 'plimsoll-cli', timeMs, resolution, by, reason } as const
        return approvalRecord({ ...asked, ...answer }, config.signingKey)
      }
      assertCounts(answerAt(Date.now()))
      const log = createKafkaLog(kafkaConnectionOf(config))
      onRelease(() => log.close())
      const topics = topicsOf(config.topicPrefix)
      await log.ping()
      const search = { log, topic: topics.events, sessionId, step: pending, expiresMs: expiresAt, signal }
      const told = stepArguments(await findProposals(search))
      stdout.write(pendingText(pending, sessionId, told))
      if (!deny && !unseen) assertSeen(pending.tool, told)
      if (!yes && !(await isConfirmed(ask, deny ? 'deny' : 'approve'))) {
        stderr.write('plimsoll: nothing was published\n')
        return 1
      }
      // It may have taken them long to answer.
      assertOpen(pending, Date.now())
      const watch = await watchAnswer(log, topics, id, signal)
      await log.produce(topics.events, [answerAt(Date.now())])
      stdout.write(`${resolution} by ${by}; the monitor judges it once more\n`)
      const { exitCode, text, failure } = verdictOn(await watch.answer(wait * 1000), resolution, wait)
      stdout.write(text)
      if (failure !== undefined) stderr.write(`plimsoll: ${failure}\n`)
      return exitCode
    })
  },
})

/** Throws `usage_invalid` where nobody can be asked. */
async function isConfirmed(ask: Context['ask'], what: 'approve' | 'deny'): Promise<boolean> {
  if (!ask)
    throw new PlimsollError(
      'usage_invalid',
      'nothing was published: there is no terminal to ask on; `--yes` publishes without asking',
    )
  return /^\s*y(?:es)?\s*$/i.test(await ask(`${what}? [y/N] `))
}
