import { helpOnCode, positionText, type DeadLetter, type Left, type RedrivePlan } from '@plimsoll/operator'
import { plainLines, plainText } from '../plain-text.js'
import { leftTable } from '../text-table.js'
import { timeText } from '../time-text.js'
import { valueText } from './value-text.js'

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
    ['came from', origin ? `${origin.topic} ${positionText(origin)}` : 'its headers do not tell'],
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
  no_origin: 'its headers do not tell where it came from',
  other_topic: 'it did not come from the events topic',
  same_record: 'another dead letter is the same record, which is written once',
}

/** What is written again, and what is not and why. */
export function planText({ letters, left }: RedrivePlan, events: string): string {
  const head = `${letters.length + left.length} dead letters match; ${letters.length} can be written to \`${events}\` again\n`
  const rows = left.map(({ letter, why }) => [positionText(letter), letter.key ?? '-', WHY[why]])
  return left.length === 0 ? head : `${head}these stay:\n${leftTable(rows, '  ')}`
}
