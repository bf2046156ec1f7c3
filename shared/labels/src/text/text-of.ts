/** How much of a text is read, code units: its beginning and its end. */
export const TEXT_HEAD_UNITS = 65_536
export const TEXT_TAIL_UNITS = 16_384
/** Deepest value of a JSON value that is read, and how many values are looked at; what lies beyond is left out. */
export const TEXT_DEPTH_MAX = 32
export const TEXT_VALUES_MAX = 65_536

/** Between head and tail, so that nothing is read across the cut. */
const CUT = '\n…\n'

/** `tail` is what comes once `head` is full, and never much longer than what is kept of it. */
interface Walk {
  head: string
  tail: string
  cut: boolean
  values: number
}

/**
 * The text in `value`: a string as it is; bytes as UTF-8; of an object or array its keys and values, a line each, `key: value`; an
 * error by its message. Of a long text the first 64 kB and the last 16 kB. Throws nothing; a member that cannot be read is left out.
 * Reads at most `TEXT_VALUES_MAX` values to a depth of `TEXT_DEPTH_MAX`, so a cycle ends.
 *
 * @example textOf({ to: ['a@mail.example'], n: 2 }) // 'to:\na@mail.example\nn: 2\n'
 */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return bounded(value)
  const walk: Walk = { head: '', tail: '', cut: false, values: 0 }
  write(walk, value, 0)
  return walk.tail === '' ? walk.head : walk.head + (walk.cut ? CUT : '') + walk.tail.slice(-TEXT_TAIL_UNITS)
}

/** Whether `text`, which `textOf` gave for `value`, leaves something of it out. */
export const isCut = (value: unknown, text: string): boolean =>
  typeof value === 'string' ? value.length > TEXT_HEAD_UNITS + TEXT_TAIL_UNITS : text.includes(CUT)

const bounded = (text: string): string =>
  text.length <= TEXT_HEAD_UNITS + TEXT_TAIL_UNITS
    ? text
    : text.slice(0, TEXT_HEAD_UNITS) + CUT + text.slice(-TEXT_TAIL_UNITS)

function append(walk: Walk, text: string): void {
  const room = TEXT_HEAD_UNITS - walk.head.length
  walk.head += room >= text.length ? text : text.slice(0, room)
  if (room >= text.length) return
  walk.tail += text.slice(Math.max(room, text.length - TEXT_TAIL_UNITS))
  walk.cut ||= text.length - room > TEXT_TAIL_UNITS || walk.tail.length > TEXT_TAIL_UNITS
  if (walk.tail.length > 2 * TEXT_TAIL_UNITS) walk.tail = walk.tail.slice(-TEXT_TAIL_UNITS)
}

function write(walk: Walk, value: unknown, depth: number): void {
  if (walk.values++ >= TEXT_VALUES_MAX) return
  if (typeof value === 'object' && value !== null && depth < TEXT_DEPTH_MAX)
    return writeObject(walk, value, depth + 1)
  append(walk, typeof value === 'object' && value !== null ? CUT : plainText(value))
  append(walk, '\n')
}

function plainText(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint'
    ? `${value}`
    : ''
}

function writeObject(walk: Walk, value: object, depth: number): void {
  if (ArrayBuffer.isView(value)) return append(walk, bytesText(value))
  if (Array.isArray(value)) return writeItems(walk, value, depth)
  if (value instanceof Error) append(walk, `${String(memberOf(value, 'message'))}\n`)
  for (const key in value) {
    if (walk.values >= TEXT_VALUES_MAX) return
    if (!Object.hasOwn(value, key)) continue
    const member = memberOf(value, key)
    append(walk, key)
    append(walk, typeof member === 'object' && member !== null ? ':\n' : ': ')
    write(walk, member, depth)
  }
}

function writeItems(walk: Walk, items: readonly unknown[], depth: number): void {
  for (let i = 0; i < items.length && walk.values < TEXT_VALUES_MAX; i++) write(walk, items[i], depth)
}

function memberOf(value: object, key: string): unknown {
  try {
    return (value as Readonly<Record<string, unknown>>)[key]
  } catch {
    return undefined
  }
}

function bytesText(view: ArrayBufferView): string {
  const bytes = Buffer.from(view.buffer, view.byteOffset, view.byteLength)
  if (bytes.length <= TEXT_HEAD_UNITS + TEXT_TAIL_UNITS) return bytes.toString()
  return (
    bytes.toString('utf8', 0, TEXT_HEAD_UNITS) + CUT + bytes.toString('utf8', bytes.length - TEXT_TAIL_UNITS)
  )
}
