import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'
import { PlimsollError } from '@plimsoll/contracts'
import type { ScoredStep } from './trace-scorer.js'

/** A file of scores being written. */
export interface ScoresFile {
  /** Adds a session: a line a step, `trace_id, i, p1, p5, p5After, level, verdict, taint, provenance, us`. */
  write(traceId: string, steps: readonly ScoredStep[]): Promise<void>
  /** Resolves once everything is on the disk. */
  close(): Promise<void>
}

/** @throws PlimsollError `usage_invalid` where the file cannot be written */
export function createScoresFile(file: string): ScoresFile {
  const stream = createWriteStream(file)
  const failed = new Promise<never>((_, reject) => {
    stream.once('error', (cause) =>
      reject(new PlimsollError('usage_invalid', `\`${file}\` cannot be written`, { cause })),
    )
  })
  failed.catch(() => undefined)
  return {
    write: async (traceId, steps) => {
      const text = steps.map((step, i) => `${JSON.stringify({ trace_id: traceId, i, ...step })}\n`).join('')
      if (!stream.write(text)) await Promise.race([once(stream, 'drain'), failed])
    },
    close: async () => {
      stream.end()
      await Promise.race([finished(stream), failed])
    },
  }
}
