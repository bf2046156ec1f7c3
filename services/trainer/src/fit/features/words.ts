/** Words of 16 bits, written one after the other. */
export interface WordWriter {
  readonly length: number
  put(word: number): void
  /** Writes over the word at a place. */
  set(at: number, word: number): void
  putFloat(value: number): void
  putText(text: string): void
  /** What was written; the writer is empty again. A view: valid until the next write. */
  take(): Uint16Array<ArrayBuffer>
}

/** Reads what a writer wrote. */
export interface WordReader {
  readonly isAtEnd: boolean
  next(): number
  nextFloat(): number
  nextText(): string
}

const FIRST_WORDS = 1 << 16
const WORD = 0x1_0000

export function createWordWriter(): WordWriter {
  let words = new Uint16Array(FIRST_WORDS)
  let length = 0
  const float = new Float64Array(1)
  const parts = new Uint16Array(float.buffer)
  const put = (word: number): void => {
    if (length === words.length) {
      const larger = new Uint16Array(2 * length)
      larger.set(words)
      words = larger
    }
    words[length++] = word
  }
  return {
    get length() {
      return length
    },
    put,
    set: (at, word) => {
      words[at] = word
    },
    putFloat: (value) => {
      float[0] = value
      for (const part of parts) put(part)
    },
    putText: (text) => {
      put(Math.floor(text.length / WORD))
      put(text.length % WORD)
      for (let i = 0; i < text.length; i++) put(text.charCodeAt(i))
    },
    take: () => {
      const taken = words.subarray(0, length)
      length = 0
      return taken
    },
  }
}

export function createWordReader(words: Uint16Array): WordReader {
  let at = 0
  const float = new Float64Array(1)
  const parts = new Uint16Array(float.buffer)
  const next = (): number => words[at++] ?? 0
  return {
    get isAtEnd() {
      return at >= words.length
    },
    next,
    nextFloat: () => {
      for (let i = 0; i < parts.length; i++) parts[i] = next()
      return float[0] ?? 0
    },
    nextText: () => {
      const length = next() * WORD + next()
      let text = ''
      for (let i = 0; i < length; i++) text += String.fromCharCode(next())
      return text
    },
  }
}
