/** More of a value is not shown. */
const SHOWN_BYTES_MAX = 64 * 1024
const HEX_BYTES_MAX = 4 * 1024
const HEX_ROW = 16

const decoder = new TextDecoder('utf-8', { fatal: true })

/** Bytes for a human: laid out where they are JSON, as text where they are text, else in hex. Lines, which may hold anything. */
export function valueText(value: Buffer): string {
  const text = decoded(value)
  if (text === undefined) return cut(hexText(value), value.length, HEX_BYTES_MAX)
  const json = parsed(text)
  return `${cutLines(json === undefined ? text : JSON.stringify(json, undefined, 2))}\n`
}

function decoded(value: Buffer): string | undefined {
  try {
    return decoder.decode(value)
  } catch {
    return undefined
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
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
