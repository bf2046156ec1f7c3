/** What a run of encoded characters may contain, decoded from each offset at which a group could begin. */
export interface Decoded {
  readonly texts: readonly string[]
  /** Whether the whole run is text. */
  readonly isWhole: boolean
}

const NOTHING: Decoded = { texts: [], isWhole: false }
const WHOLE_CHARS_MIN = 6
/** Minimum length of text inside a run. Shorter text may be chance, which is likelier in a long run. */
const STRETCH_CHARS_MIN = 8
const STRETCH_CHARS_MIN_LONG = 11
const LONG_RUN = 96
/** If this share of a decoded run is text, the rest is its frame. */
const WHOLE_SHARE = 0.7
/** Characters that most text consists of. */
const ORDINARY = /[\p{L}\p{N}\s]/gu
const ORDINARY_SHARE = 0.85
/** Lower share for a run that is text from start to end, because JSON and code have many symbols. */
const WHOLE_ORDINARY_SHARE = 0.4

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

/** The text of `run` from each of the first `offsets` characters on. */
function decodeAt(
  run: string,
  offsets: number,
  bytesFrom: (from: number) => Buffer,
  bytesEach: number,
): Decoded {
  const texts: string[] = []
  const min = run.length > LONG_RUN ? STRETCH_CHARS_MIN_LONG : STRETCH_CHARS_MIN
  for (let from = 0; from < offsets; from++) {
    const bytes = bytesFrom(from)
    let read = 0
    for (const [start, end] of stretches(bytes, WHOLE_CHARS_MIN)) {
      const text = bytes.toString('utf8', start, end)
      // The last character of a cut run may be incomplete.
      if (from === 0 && start === 0 && end >= bytes.length - 2 && ordinaryShare(text) >= WHOLE_ORDINARY_SHARE)
        return { texts: [text], isWhole: true }
      if (text.length < min || ordinaryShare(text) < ORDINARY_SHARE) continue
      read += end - start
      texts.push(text)
    }
    if (read >= WHOLE_SHARE * bytesEach * run.length) return { texts, isWhole: true }
  }
  return { texts, isWhole: false }
}

/** Readable stretches of at least `min` bytes: UTF-8 without control characters. */
function stretches(bytes: Buffer, min: number): (readonly [start: number, end: number])[] {
  const found: (readonly [start: number, end: number])[] = []
  let start = 0
  let at = 0
  while (at <= bytes.length) {
    const size = characterSize(bytes, at)
    if (size > 0) {
      at += size
      continue
    }
    if (at - start >= min) found.push([start, at])
    start = ++at
  }
  return found
}

/** Bytes of the readable character at `at`; 0 if there is none. */
function characterSize(bytes: Buffer, at: number): number {
  const byte = bytes[at] ?? 0
  if (byte < 0x80) return (byte >= 32 && byte !== 127) || byte === 9 || byte === 10 || byte === 13 ? 1 : 0
  const size = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
  if (byte < 0xc2 || byte > 0xf4) return 0
  for (let next = at + 1; next < at + size; next++) if (((bytes[next] ?? 0) & 0xc0) !== 0x80) return 0
  return size
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
