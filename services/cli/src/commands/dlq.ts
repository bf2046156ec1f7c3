import { ERRORS, PlimsollError, topicsOf, type Topics } from '@plimsoll/contracts'
import { listDeadLetters, parsePosition, planRedrive, readDeadLetter, redrive } from '@plimsoll/operator'
import { checkKafkaSettings, kafkaSettings, parseConfig, type EventLog } from '@plimsoll/runtime'
import { createKafkaLog, kafkaConnectionOf } from '@plimsoll/runtime/kafka'
import { defineCommand, type Context } from '../command.js'
import { letterText, lettersTable, planText } from '../dlq/letter-text.js'
import { environmentOf } from '../environment.js'
import { within } from '../pipeline/within.js'
import { jsonLine } from '../plain-text.js'
import { createProgress } from '../progress.js'

const CODES = Object.entries(ERRORS).flatMap(([code, { kind }]) => (kind === 'event' ? [code] : []))

const environment = environmentOf(kafkaSettings)
const conditions = {
  code: { type: 'list', value: 'CODE', help: 'of this error code' },
  session: { type: 'list', value: 'ID', help: 'of this session' },
  since: { type: 'duration', help: 'set aside no longer ago, such as 1h' },
} as const

/** Gives the log that the environment names, for as long as `work` takes. */
function onLog<T>({ env }: Context, work: (log: EventLog, topics: Topics) => Promise<T>): Promise<T> {
  const config = parseConfig(kafkaSettings, env, { prefixes: [], checks: [checkKafkaSettings] })
  return within(async (onRelease) => {
    const log = createKafkaLog(kafkaConnectionOf(config))
    onRelease(() => log.close())
    // Where it is away this says so at once.
    await log.ping()
    return work(log, topicsOf(config.topicPrefix))
  })
}

interface Conditions {
  readonly code: readonly string[]
  readonly session: readonly string[]
  readonly since: number | undefined
}

function filterOf({ code, session, since }: Conditions) {
  const unknown = code.filter((each) => !CODES.includes(each))
  if (unknown.length > 0)
    throw new PlimsollError(
      'usage_invalid',
      `\`${unknown.join('`, `')}\` is no code of a dead letter; there are ${CODES.join(', ')}`,
    )
  return { codes: code, sessions: session, sinceMs: since === undefined ? undefined : Date.now() - since }
}

export const dlqList = defineCommand({
  name: 'dlq list',
  summary: 'lists the events that the monitors set aside, and why',
  description: ['Dead letters, the latest first. `from` is where the event lies in the events topic.'],
  options: {
    ...conditions,
    limit: { type: 'integer', value: 'N', help: 'shows so many at most', min: 1, max: 100_000, default: 50 },
    json: { type: 'flag', help: 'one JSON object on stdout' },
  },
  environment,
  examples: [
    ['--since 1h', 'those of the last hour'],
    ['--code sequence_gap --session s-1 --json', 'of one code and one session, for a script'],
  ],
  async run({ limit, json, ...asked }, _operands, context) {
    const filter = filterOf(asked)
    const { letters, count } = await onLog(context, (log, { deadLetters }) =>
      listDeadLetters(log, deadLetters, filter, limit, context.signal),
    )
    if (json) context.stdout.write(jsonLine({ count, letters }))
    else if (count === 0) context.stdout.write('no dead letters\n')
    else context.stdout.write(lettersTable(letters))
    if (!json && count > letters.length)
      context.stdout.write(`${count - letters.length} more; \`--limit\` shows them\n`)
    return 0
  },
})

export const dlqShow = defineCommand({
  name: 'dlq show',
  summary: 'shows one dead letter: why it was set aside, what to do, its headers and its value',
  description: ['`dlq list` tells the positions.'],
  operands: { name: 'PARTITION:OFFSET', help: 'where it lies in the topic of dead letters', min: 1, max: 1 },
  options: {},
  environment,
  examples: [['3:17', 'the one at offset 17 of partition 3']],
  async run(_values, [position = ''], context) {
    const asked = parsePosition(position)
    const text = await onLog(context, async (log, { deadLetters }) =>
      letterText(await readDeadLetter(log, deadLetters, asked, context.signal), deadLetters),
    )
    context.stdout.write(text)
    return 0
  },
})

const REPEATS =
  'an event that the monitor has taken meanwhile is answered as a repeat or set aside again (`sequence_stale`): no session changes by it\n'

export const dlqRedrive = defineCommand({
  name: 'dlq redrive',
  summary: 'writes dead letters to the events topic again, once what was wrong is mended',
  description: [
    'Key and bytes as they were, in the order of the log they came from, marked by the header `plimsoll-redriven-from`. What was cut when',
    'it was set aside is not written. Safe to run twice: the monitor answers an event that it has taken already as a repeat, or sets it aside',
    'again as `sequence_stale`; neither changes a session.',
  ],
  operands: { name: 'PARTITION:OFFSET', help: 'these dead letters alone', min: 0, max: 1000 },
  options: {
    ...conditions,
    all: { type: 'flag', help: 'every dead letter there is' },
    'dry-run': { type: 'flag', help: 'tells what it would write, and writes nothing' },
  },
  environment,
  examples: [
    ['--code sequence_gap --since 1h --dry-run', 'what would be written'],
    ['--session s-1', 'those of one session'],
    ['3:17 3:18', 'two of them'],
  ],
  async run({ all, 'dry-run': isDry, ...asked }, operands, context) {
    const { stdout, stderr, signal } = context
    const filter = filterOf(asked)
    assertNamed(all, asked, operands)
    const positions = operands.length > 0 ? operands.map(parsePosition) : undefined
    return onLog(context, async (log, topics) => {
      const plan = await planRedrive(log, topics, { ...filter, positions }, signal)
      stdout.write(planText(plan, topics.events))
      if (isDry) {
        if (plan.letters.length > 0) stdout.write(lettersTable(plan.letters))
        return 0
      }
      const progress = createProgress(stderr, 'redrive')
      let written = 0
      const onWritten = (count: number) => {
        written = count
        progress.update(count / plan.letters.length, `${count} of ${plan.letters.length}`)
      }
      try {
        await redrive(log, topics, plan.letters, onWritten, signal)
      } finally {
        progress.end()
        stdout.write(`${written} written\n`)
      }
      if (written > 0) stdout.write(REPEATS)
      return written === plan.letters.length ? 0 : 1
    })
  },
})

/** All of them is not what anybody means by saying nothing. */
function assertNamed(all: boolean, { code, session, since }: Conditions, operands: readonly string[]): void {
  const isNarrowed = code.length > 0 || session.length > 0 || since !== undefined
  const isNamed = operands.length > 0
  if (Number(all) + Number(isNarrowed) + Number(isNamed) === 1) return
  throw new PlimsollError(
    'usage_invalid',
    'say which: some PARTITION:OFFSET, or `--code`, `--session` and `--since`, or `--all`',
  )
}
