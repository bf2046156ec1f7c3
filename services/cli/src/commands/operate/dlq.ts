import { type Topics, ERRORS, PlimsollError, parseJson } from '@plimsoll/contracts'
import {
  type DeadLetter,
  type Left,
  type RedrivePlan,
  helpOnCode,
  listDeadLetters,
  parsePosition,
  planRedrive,
  positionText,
  readDeadLetter,
  redrive,
} from '@plimsoll/operations'
import { type EventLog, kafkaSettings } from '@plimsoll/runtime'
import {
  type Context,
  defineCommand,
  environmentOf,
  duration,
  flag,
  integer,
  json,
  list,
  words,
} from '../../command.js'
import { configOf, openLog, within } from '../../deployment.js'
import { jsonLine, leftTable, plainLines, plainText, timeText } from '../../format/text.js'
import { createProgress } from '../../format/progress.js'

/** More of a value is not shown. */
const SHOWN_BYTES_MAX = 64 * 1024
const HEX_BYTES_MAX = 4 * 1024
const HEX_ROW = 16

const decoder = new TextDecoder('utf-8', { fatal: true })

/** Bytes for a human: laid out where they are JSON, as text where they are text, else in hex. Lines, which may hold anything. */
export function valueText(value: Buffer): string {
  const text = decoded(value)
  if (text === undefined) return cut(hexText(value), value.length, HEX_BYTES_MAX)
  const json = parseJson(text)
  return `${cutLines(json === undefined ? text : JSON.stringify(json, undefined, 2))}\n`
}

function decoded(value: Buffer): string | undefined {
  try {
    return decoder.decode(value)
  } catch {
    return undefined
  }
}

function cutLines(text: string): string {
  if (text.length <= SHOWN_BYTES_MAX) return text
  return `${text.slice(0, SHOWN_BYTES_MAX)}\n… ${text.length - SHOWN_BYTES_MAX} more characters`
}

function hexText(value: Buffer): string {
  const rows: string[] = []
  for (let at = 0; at < Math.min(value.length, HEX_BYTES_MAX); at += HEX_ROW) {
    const bytes = value.subarray(at, at + HEX_ROW)
    const hex = bytes.toString('hex').replaceAll(/..(?=.)/g, '$& ')
    const shown = bytes.toString('latin1').replaceAll(/[^\u0020-\u007e]/g, '.')
    rows.push(`${at.toString(16).padStart(8, '0')}  ${hex.padEnd(HEX_ROW * 3 - 1)}  ${shown}\n`)
  }
  return rows.join('')
}

const cut = (text: string, size: number, shown: number): string =>
  size > shown ? `${text}… ${size - shown} more bytes\n` : text

const MESSAGE_CHARACTERS_MAX = 120

/** Dead letters as a table. */
export function lettersTable(letters: readonly Omit<DeadLetter, 'value' | 'headers'>[]): string {
  const heading = ['letter', 'time', 'code', 'session', 'from', 'message']
  const rows = letters.map((letter) => [
    positionText(letter),
    timeText(letter.timeMs),
    letter.code || '-',
    letter.key ?? '-',
    letter.origin ? positionText(letter.origin) : '-',
    shortened(letter.message),
  ])
  return leftTable([heading, ...rows])
}

const shortened = (text: string): string =>
  text.length > MESSAGE_CHARACTERS_MAX ? `${text.slice(0, MESSAGE_CHARACTERS_MAX)}…` : text

/** Everything about one dead letter. */
export function letterText(letter: DeadLetter, topic: string): string {
  const { code, message, origin, key, value, headers, timeMs } = letter
  const facts = leftTable([
    ['dead letter', `${positionText(letter)} of ${topic}`],
    ['set aside', timeText(timeMs)],
    ['code', code || 'none'],
    ['message', message],
    ['what to do', helpOnCode(code) ?? 'this code is not known to this release'],
    ['came from', origin ? `${origin.topic} ${positionText(origin)}` : 'its headers do not say'],
    ['key', key ?? keyText(letter)],
  ])
  const named = leftTable(Object.entries(headers), '  ')
  const size = value === null ? 'no value' : `value, ${value.length} bytes${cutText(letter)}`
  return `${facts}\nheaders\n${named}\n${plainText(size)}\n${value === null ? '' : plainLines(valueText(value))}`
}

const keyText = ({ keyCutFrom }: DeadLetter): string =>
  keyCutFrom === undefined ? 'none' : `of ${keyCutFrom} bytes, not kept`

const cutText = ({ valueCutFrom }: DeadLetter): string =>
  valueCutFrom === undefined ? '' : `: the beginning of ${valueCutFrom}`

const WHY: Readonly<Record<Left, string>> = {
  cut: 'only its beginning was kept: the whole lies where it came from',
  no_text_key: 'its key was no text, and is not known any more',
  no_origin: 'its headers do not say where it came from',
  other_topic: 'it did not come from the events topic',
  same_record: 'another dead letter is the same record, which is written once',
}

/** What is written again, and what is not and why. */
export function planText({ letters, left }: RedrivePlan, events: string): string {
  const head = `${letters.length + left.length} dead letters match; ${letters.length} can be written to \`${events}\` again\n`
  const rows = left.map(({ letter, why }) => [positionText(letter), letter.key ?? '-', WHY[why]])
  return left.length === 0 ? head : `${head}these stay:\n${leftTable(rows, '  ')}`
}

const CODES = Object.entries(ERRORS).flatMap(([code, { kind }]) => (kind === 'event' ? [code] : []))

const environment = environmentOf(kafkaSettings)
const conditions = {
  code: words('CODE', CODES, 'of this error code'),
  session: list('ID', 'of this session'),
  since: duration('set aside no longer ago, such as 1h'),
}

/** Gives the log that the environment names, for as long as `work` takes. */
function onLog<T>({ env }: Context, work: (log: EventLog, topics: Topics) => Promise<T>): Promise<T> {
  const config = configOf(kafkaSettings, env)
  return within(async (onRelease) => {
    const { log, topics } = openLog(config, onRelease)
    // Where it is away this says so at once.
    await log.ping()
    return work(log, topics)
  })
}

interface Conditions {
  readonly code: readonly string[]
  readonly session: readonly string[]
  readonly since: number | undefined
}

function filterOf({ code, session, since }: Conditions) {
  return { codes: code, sessions: session, sinceMs: since === undefined ? undefined : Date.now() - since }
}

export const dlqList = defineCommand({
  name: 'dlq list',
  summary: 'lists the events that the monitors set aside, and why',
  description: 'Dead letters, the latest first. `from` is where the event lies in the events topic.',
  options: {
    ...conditions,
    limit: integer('N', 'shows so many at most', { min: 1, max: 100_000, default: 50 }),
    json,
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
  description: '`dlq list` shows the positions.',
  operands: [['<PARTITION:OFFSET>', 'where it lies in the topic of dead letters']],
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
  description:
    'Key and bytes as they were, in the order of the log they came from, marked by the header `plimsoll-redriven-from`. What was cut when it was set aside is not written. Safe to run twice: the monitor answers an event that it has taken already as a repeat, or sets it aside again as `sequence_stale`; neither changes a session.',
  operands: [['[PARTITION:OFFSET...]', 'these dead letters alone']],
  options: {
    ...conditions,
    all: flag('every dead letter there is'),
    dryRun: flag('shows what it would write, and writes nothing'),
  },
  environment,
  examples: [
    ['--code sequence_gap --since 1h --dry-run', 'what would be written'],
    ['--session s-1', 'those of one session'],
    ['3:17 3:18', 'two of them'],
  ],
  async run({ all, dryRun: isDry, ...asked }, operands, context) {
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
    'name the dead letters: some PARTITION:OFFSET, or `--code`, `--session` and `--since`, or `--all`',
  )
}
