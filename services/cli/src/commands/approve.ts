import { randomUUID } from 'node:crypto'
import { approvalRecord, parseDecisionId, PlimsollError, topicsOf } from '@plimsoll/contracts'
import { checkKafkaSettings, parseConfig, redisSettings } from '@plimsoll/runtime'
import { createKafkaLog, kafkaConnectionOf } from '@plimsoll/runtime/kafka'
import { createRedisStore } from '@plimsoll/runtime/redis'
import { assertCounts } from '../approve/check-record.js'
import { findPending, pendingText } from '../approve/pending.js'
import { verdictOn } from '../approve/verdict.js'
import { watchAnswer } from '../approve/watch-answer.js'
import { defineCommand } from '../command.js'
import { environmentOf } from '../environment.js'
import { signedSettings, waitOption } from '../pipeline/signed.js'
import { within } from '../pipeline/within.js'

const settings = { ...signedSettings, ...redisSettings }

export const approve = defineCommand({
  name: 'approve',
  summary: 'answers a decision that asks a human',
  description: [
    'Shows what waits, then publishes a signed answer. The step is judged once more before it runs: the approval lifts the reasons',
    'that were shown and no others, for these arguments and this once.',
    'Waits for what the monitor makes of it, and fails unless that is what was answered.',
  ],
  operands: { name: 'DECISION_ID', help: 'the id of the decision that says `confirm`', min: 1, max: 1 },
  options: {
    by: { type: 'text', value: 'NAME', help: 'who answers; the decision names them', required: true },
    deny: { type: 'flag', help: 'denies the step instead' },
    reason: { type: 'text', value: 'TEXT', help: 'why, for the record' },
    ...waitOption,
  },
  environment: environmentOf(settings),
  examples: [
    ["'s-1#e-9#step' --by ines", 'lets the step run'],
    ["'s-1#e-9#step' --by ines --deny --reason 'wrong recipient'", 'does not'],
  ],
  async run({ by, deny, reason, wait }, operands, { env, stdout, stderr, signal }) {
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
      const answer = { id, producer: 'plimsoll-cli', timeMs: Date.now(), resolution, by, reason } as const
      const record = approvalRecord({ ...asked, ...answer }, config.signingKey)
      assertCounts(record)
      stdout.write(pendingText(pending, sessionId))
      const log = createKafkaLog(kafkaConnectionOf(config))
      onRelease(() => log.close())
      const topics = topicsOf(config.topicPrefix)
      const watch = await watchAnswer(log, topics, id, signal)
      await log.produce(topics.events, [record])
      stdout.write(`${resolution} by ${by}; the monitor judges it once more\n`)
      const { exitCode, text, failure } = verdictOn(await watch.answer(wait * 1000), resolution, wait)
      stdout.write(text)
      if (failure !== undefined) stderr.write(`plimsoll: ${failure}\n`)
      return exitCode
    })
  },
})
