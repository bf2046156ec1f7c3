import { createWriteStream } from 'node:fs'
import { open, rename, rm, truncate } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { PlimsollError, canonicalJson } from '@plimsoll/contracts'
import { type SignedCheckpoint, checkpointDigest, signCheckpoint } from '../tree/checkpoint.js'
import type { SigningKey } from '../tree/keys.js'
import { type Entry, type NewEntry, makeEntry } from './entry.js'
import { fileOf, syncFolder } from './folder.js'
import { readLines } from './read-lines.js'
import { type TreeState, type TreeStateOptions, createTreeState } from './tree-state.js'

/** A proof file that this process writes. The caller orders its calls, and opens it again after a rejection. */
export interface TreeFile {
  readonly state: Omit<TreeState, 'take' | 'takeEntry' | 'takeCheckpoint'>
  /** Adds an entry, which `flush` writes. */
  add(entry: NewEntry): void
  /** Signs what is not signed yet. `nowMs` is the time of the checkpoint. */
  sign(nowMs: number): void
  /** Resolves once everything is on the disk. */
  flush(): Promise<void>
  /** Writes the file again with other entries in the places of the same, and what was added, all or nothing. It is used no more afterwards. */
  rewrite(change: (entry: Entry) => Entry): Promise<void>
}

/**
 * Opens the file of `tree` in `folder`, which need not exist. Reads it to its end; a last line that a killed process has left unfinished is
 * cut off. `onEntry` gets each entry. Rejects with `record_invalid` if it does not verify.
 */
export async function openTreeFile(
  folder: string,
  tree: string,
  key: SigningKey,
  onEntry: (entry: Entry) => void = () => undefined,
): Promise<TreeFile> {
  const file = fileOf(folder, tree)
  const draft = `${file}.draft`
  // Of a process that was killed while it erased.
  await rm(draft, { force: true })
  const { state, ...read } = await readOwnFile(file, { key: key.public, tree }, onEntry)
  let { end } = read
  let isNew = state.tree.size() === 0
  let waiting: string[] = []

  const assertTaken = (problem: string | undefined) => {
    if (problem !== undefined)
      throw new PlimsollError('record_invalid', `${file}: an entry is refused: ${problem}`)
  }
  return {
    state,
    add: (entry) => {
      const made = makeEntry(tree, state.tree.size(), entry)
      assertTaken(state.takeEntry(made))
      waiting.push(`${canonicalJson(made)}\n`)
    },
    sign: (nowMs) => {
      if (state.unsigned() === 0) return
      const before = state.checkpoint()
      const signed = signCheckpoint(
        {
          tree,
          size: state.tree.size(),
          root: state.tree.root().toString('hex'),
          previous: before ? checkpointDigest(before) : null,
          partitions: [...state.partitions()],
          time: nowMs,
        },
        key,
      )
      assertTaken(state.takeCheckpoint(signed))
      waiting.push(`${canonicalJson(signed)}\n`)
    },
    flush: async () => {
      if (waiting.length === 0) return
      const text = waiting.join('')
      waiting = []
      const handle = await open(file, 'a', 0o600)
      try {
        const { size } = await handle.stat()
        if (size !== end) throw new PlimsollError('contended', `another process has written in \`${file}\``)
        await handle.writeFile(text)
        await handle.datasync()
        end += Buffer.byteLength(text)
      } finally {
        await handle.close()
      }
      if (isNew) await syncFolder(folder)
      isNew = false
    },
    rewrite: async (change) => {
      await pipeline(rewritten(file, change, waiting), createWriteStream(draft, { mode: 0o600, flush: true }))
      waiting = []
      await rename(draft, file)
      await syncFolder(folder)
    },
  }
}

async function* rewritten(
  file: string,
  change: (entry: Entry) => Entry,
  added: readonly string[],
): AsyncGenerator<string> {
  for await (const { text = '' } of readLines(file)) {
    const json = JSON.parse(text) as Entry | SignedCheckpoint
    yield 'checkpoint' in json ? `${text}\n` : `${canonicalJson(change(json))}\n`
  }
  yield* added
}

async function readOwnFile(
  file: string,
  options: TreeStateOptions,
  onEntry: (entry: Entry) => void,
): Promise<{ readonly state: TreeState; readonly end: number }> {
  const state = createTreeState(options)
  let end = 0
  try {
    for await (const line of readLines(file)) {
      if (!line.isWhole && !line.isTooLong) {
        await truncate(file, end)
        break
      }
      end = line.end
      const taken = line.text === undefined ? undefined : state.take(line.text)
      if (taken?.kind === 'entry') onEntry(taken.entry)
      if (taken && taken.kind !== 'problem') continue
      throw damaged(`${file}, line ${line.number}: ${taken?.problem ?? 'it is too long, or not UTF-8'}`)
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  const problem = state.problemAtEnd()
  if (problem !== undefined) throw damaged(`${file}: ${problem}`)
  return { state, end }
}

const damaged = (message: string): PlimsollError =>
  new PlimsollError(
    'record_invalid',
    `${message}: nothing is added to a file that does not verify; restore it, or give a new folder`,
  )
