/** What is read of a result: its beginning and its end. */
export const TEXT_HEAD_CHARS = 65_536
export const TEXT_TAIL_CHARS = 16_384
const DEPTH_MAX = 32
const VALUES_MAX = 8_192

/**
 * The text of a result: a string as it is, of any other JSON value its leaves with their keys, one a line. At most the first
 * `TEXT_HEAD_CHARS` and the last `TEXT_TAIL_CHARS` characters; of a value with very many or very deep parts the first. Never throws.
 */
export function textOf(result: unknown): string {
  if (typeof result === 'string') return cut(result)
  const lines: string[] = []
  let seen = 0
  let length = 0

  function add(key: string, value: string): void {
    const line = key === '' ? value : `${key}: ${value}`
    lines.push(line)
    length += line.length + 1
  }

  function walk(value: unknown, key: string, depth: number): void {
    if (++seen > VALUES_MAX || length > CHARS_MAX) return
    if (typeof value === 'string') add(key, cut(value))
    else if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean')
      add(key, String(value))
    else if (typeof value === 'object' && value !== null && depth < DEPTH_MAX) {
      if (Array.isArray(value)) for (const each of value.slice(0, VALUES_MAX)) walk(each, key, depth + 1)
      else
        for (const [name, each] of Object.entries(value).slice(0, VALUES_MAX))
          walk(each, name.slice(0, 128), depth + 1)
    }
  }

  try {
    walk(result, '', 0)
  } catch {
    // A getter or a proxy that throws: what was read before it counts.
  }
  return cut(lines.join('\n'))
}

const CHARS_MAX = TEXT_HEAD_CHARS + TEXT_TAIL_CHARS

function cut(text: string): string {
  return text.length <= CHARS_MAX
    ? text
    : `${text.slice(0, TEXT_HEAD_CHARS)}\n${text.slice(-TEXT_TAIL_CHARS)}`
}
