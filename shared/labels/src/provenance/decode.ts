/** What a run of encoded characters may hold, read at each offset at which a group of its encoding could begin. */
export interface Decoded {
  readonly texts: readonly string[]
  /** Whether the whole run is text. */
  readonly isWhole: boolean
}

const NOTHING: Decoded = { texts: [], isWhole: false }
const WHOLE_CHARS_MIN = 6
/** In the middle of a run text must be this long to be no chance: in a long one chance has more to choose from. */
const STRETCH_CHARS_MIN = 7
const STRETCH_CHARS_MIN_LONG = 11
const LONG_RUN = 96
/** So much of a run that decodes is text that the rest is its frame. */
const WHOLE_SHARE = 0.7
/** What can be read, and of that what most of a text is. */
const STRETCH = /[^\0-\x08\x0b\x0c\x0e-\x1f\x7f\ufffd]+/g
const ORDINARY = /[\p{L}\p{N}\s]/gu
const ORDINARY_SHARE = 0.7

export const decodeBase64 = (run: string): Decoded =>
  decodeAt(run, 4, (from) => Buffer.from(run.slice(from), 'base64'), 0.75)

export function decodeHex(run: string): Decoded {
  const digits = run.replaceAll(/[-_]/g, '')
  if (!/^[0-9a-f]+$/i.test(digits)) return NOTHING
  return decodeAt(digits, 2, (from) => Buffer.from(digits.slice(from), 'hex'), 0.5)
}

export function decodeBase32(run: string): Decoded {
  const isOne = /^[A-Z2-7]+$/.test(run) || /^[a-z2-7]+$/.test(run)
  return isOne ? decodeAt(run, 8, (from) => base32Bytes(run, from), 0.625) : NOTHING
}

/** The text of `run` from each of the first `offsets` characters on; bytes a character as of the encoding. */
function decodeAt(run: string, offsets: number, bytesFrom: (from: number) => Buffer, bytesEach: number): Decoded {
  const texts: string[] = []
  const min = run.length > LONG_RUN ? STRETCH_CHARS_MIN_LONG : STRETCH_CHARS_MIN
  for (let from = 0; from < offsets; from++) {
    const text = bytesFrom(from).toString('utf8')
    const whole = from === 0 ? text.replace(/\ufffd$/, '') : ''
    if (whole.length >= WHOLE_CHARS_MIN && isText(whole)) return { texts: [whole], isWhole: true }
    let read = 0
    for (const [stretch] of text.matchAll(STRETCH)) {
      if (stretch.length < min || ordinaryShare(stretch) < ORDINARY_SHARE) continue
      read += stretch.length
      texts.push(stretch)
    }
    if (read >= WHOLE_SHARE * bytesEach * run.length) return { texts, isWhole: true }
  }
  return { texts, isWhole: false }
}

function isText(text: string): boolean {
  const [first] = text.match(STRETCH) ?? []
  return first?.length === text.length
}

const ordinaryShare = (text: string): number => (text.match(ORDINARY)?.length ?? 0) / text.length

function base32Bytes(run: string, from: number): Buffer {
  const bytes = Buffer.alloc(Math.floor(((run.length - from) * 5) / 8))
  let bits = 0
  let held = 0
  let length = 0
  for (let at = from; at < run.length; at++) {
    const code = run.charCodeAt(at)
    bits = ((bits << 5) | (code < 65 ? code - 24 : (code | 32) - 97)) & 0xfff
    held += 5
    if (held < 8) continue
    held -= 8
    bytes[length++] = (bits >>> held) & 255
  }
  return bytes
}
