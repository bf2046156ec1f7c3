import { randomUUID } from 'node:crypto'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { PlimsollError } from '@plimsoll/contracts'
import { CONDUCT_FEATURES, SESSION_FEATURES, STEP_FEATURES } from '@plimsoll/engine'
import { createValueCodes } from './columns.js'
import type { SessionRows } from './session-rows.js'

import path from 'node:path'

/** Rows of sessions as words, and back to the last bit. */
export interface RowCodec {
  write(rows: SessionRows, words: WordWriter): void
  read(words: WordReader): SessionRows
}

/** Stands before a value that is written out, for the codes are used up. */
const WRITTEN_OUT = 0xffff
const WORD = 0x1_0000

/**
 * Of each row what changed since the one before it of its kind, as column and code of the value: some 200 bytes a step of recorded
 * sessions instead of 2,200. What a codec wrote only the same codec can read: the codes are its own.
 */
export function createRowCodec(): RowCodec {
  const values = createValueCodes(WRITTEN_OUT)
  const writeRow = (row: Float64Array, before: Float64Array, words: WordWriter): void => {
    const countAt = words.length
    let changed = 0
    words.put(0)
    for (let f = 0; f < row.length; f++) {
      const value = row[f] ?? 0
      if (value === before[f]) continue
      changed++
      words.put(f)
      const code = values.codeOf(value)
      words.put(code ?? WRITTEN_OUT)
      if (code === undefined) words.putFloat(value)
    }
    words.set(countAt, changed)
  }
  const readRow = (before: Float64Array, words: WordReader): Float64Array => {
    const row = Float64Array.from(before)
    for (let left = words.next(); left > 0; left--) {
      const f = words.next()
      const code = words.next()
      row[f] = code === WRITTEN_OUT ? words.nextFloat() : values.valueOf(code)
    }
    return row
  }
  const writeRows = (rows: readonly Float64Array[], columns: number, words: WordWriter): void => {
    let before: Float64Array = new Float64Array(columns)
    for (const row of rows) {
      writeRow(row, before, words)
      before = row
    }
  }
  const readRows = (length: number, columns: number, words: WordReader): Float64Array[] => {
    let before: Float64Array = new Float64Array(columns)
    return Array.from({ length }, () => (before = readRow(before, words)))
  }
  return {
    write: ({ steps, arrivals, sessionRows, conduct, arrivalPlaces, sessionPlaces }, words) => {
      words.put(Math.floor(steps.length / WORD))
      words.put(steps.length % WORD)
      for (const place of arrivalPlaces) words.put(place)
      for (const place of sessionPlaces) words.put(place)
      writeRows(steps, STEP_FEATURES.length, words)
      writeRows(arrivals, SESSION_FEATURES.length, words)
      writeRows(sessionRows, SESSION_FEATURES.length, words)
      writeRows(conduct, CONDUCT_FEATURES.length, words)
    },
    read: (words) => {
      const length = words.next() * WORD + words.next()
      return {
        arrivalPlaces: Array.from({ length }, words.next),
        sessionPlaces: Array.from({ length: length + 1 }, words.next),
        steps: readRows(length, STEP_FEATURES.length, words),
        arrivals: readRows(length, SESSION_FEATURES.length, words),
        sessionRows: readRows(length + 1, SESSION_FEATURES.length, words),
        conduct: readRows(2 * length, CONDUCT_FEATURES.length, words),
      }
    },
  }
}

/**
 * Rows of sessions on the disk: written once, then read from the beginning as often as it takes, a block in memory at a time. `Head` is
 * what is kept of a session besides: anything that JSON can tell.
 */
export interface SessionSpill<Head> {
  add(head: Head, rows: SessionRows): Promise<void>
  /** Every session, in the order in which they were added. */
  sessions(): AsyncGenerator<{ readonly head: Head; readonly rows: SessionRows }>
  readonly sessionsWritten: number
  readonly bytesWritten: number
  close(): Promise<void>
}

/** A block is written once it has so many words. */
const BLOCK_WORDS = 1 << 19
const WORD_BYTES = 2
const LENGTH_BYTES = 4

/**
 * Opens a spill in `folder`. The file has no name once it is open, so that nothing of it is left whatever ends the process.
 *
 * @throws PlimsollError `usage_invalid` where it cannot be written
 */
export async function createSessionSpill<Head>(folder: string = tmpdir()): Promise<SessionSpill<Head>> {
  const file = await openUnnamed(folder)
  const codec = createRowCodec()
  const words = createWordWriter()
  let written = 0
  let bytesWritten = 0
  const flush = async (): Promise<void> => {
    if (words.length === 0) return
    const block = words.take()
    await writeWhole(file, Buffer.from(Uint32Array.of(block.length).buffer), bytesWritten, folder)
    const bytes = Buffer.from(block.buffer, block.byteOffset, block.byteLength)
    await writeWhole(file, bytes, bytesWritten + LENGTH_BYTES, folder)
    bytesWritten += LENGTH_BYTES + bytes.length
  }
  return {
    add: async (head, rows) => {
      words.putText(JSON.stringify(head))
      codec.write(rows, words)
      written++
      if (words.length >= BLOCK_WORDS) await flush()
    },
    sessions: async function* () {
      await flush()
      for await (const block of blocksOf(file, bytesWritten)) {
        const reader = createWordReader(block)
        while (!reader.isAtEnd) {
          const head = JSON.parse(reader.nextText()) as Head
          yield { head, rows: codec.read(reader) }
        }
      }
    },
    get sessionsWritten() {
      return written
    },
    get bytesWritten() {
      return bytesWritten
    },
    close: () => file.close(),
  }
}

async function openUnnamed(folder: string): Promise<FileHandle> {
  const name = path.join(folder, `plimsoll-fit-${randomUUID()}`)
  try {
    const file = await open(name, 'wx+', 0o600)
    await unlink(name)
    return file
  } catch (cause) {
    throw new PlimsollError('usage_invalid', `the folder \`${folder}\` is not writable`, { cause })
  }
}

async function writeWhole(file: FileHandle, bytes: Buffer, at: number, folder: string): Promise<void> {
  for (let from = 0; from < bytes.length;) {
    const { bytesWritten } = await file
      .write(bytes, from, bytes.length - from, at + from)
      .catch((cause: unknown) => {
        throw new PlimsollError('usage_invalid', `the folder \`${folder}\` is not writable`, { cause })
      })
    from += bytesWritten
  }
}

async function* blocksOf(file: FileHandle, end: number): AsyncGenerator<Uint16Array> {
  for (let at = 0; at < end;) {
    const [words = 0] = new Uint32Array((await readWhole(file, at, LENGTH_BYTES)).buffer)
    const bytes = await readWhole(file, at + LENGTH_BYTES, words * WORD_BYTES)
    yield new Uint16Array(bytes.buffer)
    at += LENGTH_BYTES + bytes.length
  }
}

async function readWhole(file: FileHandle, at: number, length: number): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(length)
  for (let from = 0; from < length;) {
    const { bytesRead } = await file.read(bytes, from, length - from, at + from)
    if (bytesRead === 0) throw new RangeError('the spill is shorter than what was written')
    from += bytesRead
  }
  return bytes
}

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
