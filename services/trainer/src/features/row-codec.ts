import { SESSION_FEATURES, STEP_FEATURES } from '@plimsoll/engine'
import type { SessionRows } from './session-rows.js'
import { createValueCodes } from './value-codes.js'
import type { WordReader, WordWriter } from './words.js'

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
    write: ({ steps, arrivals, sessionRows, arrivalPlaces, sessionPlaces }, words) => {
      words.put(Math.floor(steps.length / WORD))
      words.put(steps.length % WORD)
      for (const place of arrivalPlaces) words.put(place)
      for (const place of sessionPlaces) words.put(place)
      writeRows(steps, STEP_FEATURES.length, words)
      writeRows(arrivals, SESSION_FEATURES.length, words)
      writeRows(sessionRows, SESSION_FEATURES.length, words)
    },
    read: (words) => {
      const length = words.next() * WORD + words.next()
      return {
        arrivalPlaces: Array.from({ length }, words.next),
        sessionPlaces: Array.from({ length: length + 1 }, words.next),
        steps: readRows(length, STEP_FEATURES.length, words),
        arrivals: readRows(length, SESSION_FEATURES.length, words),
        sessionRows: readRows(length + 1, SESSION_FEATURES.length, words),
      }
    },
  }
}
