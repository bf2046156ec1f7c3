import { randomUUID } from 'node:crypto'
import { open, unlink, type FileHandle } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { PlimsollError } from '@plimsoll/contracts'
import { createRowCodec } from './row-codec.js'
import type { SessionRows } from './session-rows.js'
import { createWordReader, createWordWriter } from './words.js'

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
    throw new PlimsollError('usage_invalid', `nothing can be written in \`${folder}\``, { cause })
  }
}

async function writeWhole(file: FileHandle, bytes: Buffer, at: number, folder: string): Promise<void> {
  for (let from = 0; from < bytes.length;) {
    const { bytesWritten } = await file
      .write(bytes, from, bytes.length - from, at + from)
      .catch((cause: unknown) => {
        throw new PlimsollError('usage_invalid', `\`${folder}\` cannot be written to`, { cause })
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
