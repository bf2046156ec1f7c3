import { PlimsollError } from '@plimsoll/contracts'
import type { Entry } from '../file/entry.js'
import { LINE_BYTES_MAX, readLines } from '../file/read-lines.js'
import { type TreeState, createTreeState } from '../file/tree-state.js'
import { type SignedCheckpoint, problemOfSignature } from '../tree/checkpoint.js'
import type { PublicKey } from '../tree/keys.js'

export interface VerifyOptions {
  readonly key: PublicKey
  /** A checkpoint that is known from elsewhere: what it covers must be there. */
  readonly known?: SignedCheckpoint | undefined
  /** Whether the inclusion proof of an entry is wanted. */
  readonly isTracked?: (entry: Entry) => boolean
  /** Gets each entry that belongs there. */
  readonly onEntry?: (entry: Entry) => void
  /** Gets each checkpoint that belongs there, with the inclusion proofs of tracked entries in its tree. */
  readonly onCheckpoint?: (signed: SignedCheckpoint, proofs: TreeState['tree']['proofs']) => void
}

export interface Verification {
  /** A tenant, or `_fleet`; undefined if no line says it. */
  readonly tree: string | undefined
  readonly entries: number
  readonly checkpoints: number
  /** Entries whose bodies were erased, as erasures say. */
  readonly erased: number
  /** Entries after the last checkpoint: nothing proves them yet. */
  readonly unsigned: number
  /** Whether the last line is unfinished, as a killed recorder leaves it; it counts as no line. */
  readonly isUnfinished: boolean
  /** The last one. */
  readonly checkpoint: SignedCheckpoint | undefined
  /** Why the file does not verify: the first reason, as what follows a false line cannot be judged. */
  readonly problem: string | undefined
}

/**
 * Reads a proof file to its end, or to its first false line. Memory is bounded by a line. Rejects with `document_invalid` if it cannot be
 * read.
 */
export async function verifyFile(file: string, options: VerifyOptions): Promise<Verification> {
  const { key, known, isTracked, onEntry, onCheckpoint } = options
  const state = createTreeState({ key, ...(isTracked && { isTracked }) })
  let problem = known && problemOfSignature(known, key)
  if (problem !== undefined) problem = `the known checkpoint: ${problem}`
  let isUnfinished = false
  try {
    for await (const line of readLines(file)) {
      if (problem !== undefined) break
      if (!line.isWhole && !line.isTooLong) {
        isUnfinished = true
        break
      }
      const found = line.isTooLong ? `it has more than ${LINE_BYTES_MAX} bytes` : takeLine(line.text)
      if (found !== undefined) problem = `line ${line.number}: ${found}`
    }
  } catch (cause) {
    throw new PlimsollError('document_invalid', `\`${file}\` cannot be read`, { cause })
  }

  function takeLine(text: string | undefined): string | undefined {
    if (text === undefined) return 'it is not UTF-8'
    const taken = state.take(text)
    if (taken.kind === 'problem') return taken.problem
    if (taken.kind === 'checkpoint') {
      onCheckpoint?.(taken.signed, () => state.tree.proofs())
      return undefined
    }
    onEntry?.(taken.entry)
    const { checkpoint } = known ?? {}
    if (checkpoint?.size === state.tree.size() && checkpoint.root !== state.tree.root().toString('hex'))
      return `up to here the entries are not those of the known checkpoint`
    return undefined
  }

  return {
    tree: state.name(),
    entries: state.tree.size(),
    checkpoints: state.checkpoints(),
    erased: state.erased(),
    unsigned: state.unsigned(),
    isUnfinished,
    checkpoint: state.checkpoint(),
    problem: problem ?? problemAtEnd(state, known),
  }
}

function problemAtEnd(state: TreeState, known: SignedCheckpoint | undefined): string | undefined {
  if (known) {
    const { tree, size } = known.checkpoint
    if (state.name() !== tree)
      return `it is the file of \`${state.name() ?? 'nothing'}\`, the known checkpoint of \`${tree}\``
    if (state.tree.size() < size)
      return `it was cut: it has ${state.tree.size()} entries, and the known checkpoint ${size}`
  }
  if (!state.checkpoint()) return 'it has no checkpoint: nothing proves it'
  return state.problemAtEnd()
}
