import {
  type Decision,
  PlimsollError,
  decisionSchema,
  eventSchema,
  formatIssues,
  parseJson,
} from '@plimsoll/contracts'
import { z } from 'zod'
import { problemOfHashes } from '../file/entry.js'
import { type Checkpoint, problemOfSignature } from '../tree/checkpoint.js'
import type { PublicKey } from '../tree/keys.js'
import { isIncluded } from '../tree/merkle-tree.js'
import { type Receipt, receiptSchema } from './receipt.js'

/** Bytes of a receipt. */
export const RECEIPT_BYTES_MAX = 16 * 1024 * 1024

const startSchema = z.object({
  sessionId: z.string(),
  agent: z.string().optional(),
  principal: z.string().optional(),
  user: z.string().optional(),
  identity: z.enum(['none', 'stated', 'verified']),
})

/** What a receipt proves, from its entries alone. */
export interface ProvedStep {
  readonly decision: Decision
  /** As the session's starts say; one, unless somebody tried to start it again. */
  readonly starts: readonly z.infer<typeof startSchema>[]
  /** Answers to its question, in their order. */
  readonly answers: readonly ProvedAnswer[]
  /** What was decided on answers, or when nobody answered in time. */
  readonly outcomes: readonly Decision[]
  readonly checkpoint: Checkpoint
}

export interface ProvedAnswer {
  readonly id: string
  readonly by: string
  readonly resolution: 'approved' | 'denied'
  readonly scope: string
  readonly reason: string | undefined
  /** Append time, milliseconds since 1970. */
  readonly timeMs: number
}

/**
 * What the receipt in `text` proves. Rejects with `document_invalid` if it is none, or proves nothing: its checkpoint is not of the key's owner,
 * an entry is not in the tree, or entries are of different steps.
 */
export function checkReceipt(text: string, key: PublicKey): ProvedStep {
  const { data, error } = receiptSchema.safeParse(parseJson(text))
  if (error) throw invalid(`it is no receipt: ${formatIssues(error, 'receipt', 3)}`)
  const problem = problemOfSignature(data.checkpoint, key)
  if (problem !== undefined) throw invalid(`its checkpoint does not count: ${problem}`)
  for (const [place, entry] of data.entries.entries()) {
    const found = problemOfEntry(entry, data)
    if (found !== undefined) throw invalid(`entry ${place + 1} of it does not count: ${found}`)
  }
  return stepOf(data)
}

const invalid = (message: string): PlimsollError => new PlimsollError('document_invalid', message)

function problemOfEntry(
  entry: Receipt['entries'][number],
  { checkpoint: { checkpoint } }: Receipt,
): string | undefined {
  if (entry.body === null) return 'it was erased'
  if (entry.tree !== checkpoint.tree) return `it is of another tree, \`${entry.tree}\``
  let problem: string | undefined
  try {
    problem = problemOfHashes(entry)
  } catch {
    problem = 'its body is nested too deeply'
  }
  if (problem !== undefined) return problem
  const inclusion = {
    index: entry.index,
    size: checkpoint.size,
    leaf: Buffer.from(entry.leaf, 'hex'),
    proof: entry.proof.map((hash) => Buffer.from(hash, 'hex')),
    root: Buffer.from(checkpoint.root, 'hex'),
  }
  return isIncluded(inclusion) ? undefined : 'it is not in the tree of the checkpoint'
}

function stepOf({ entries, checkpoint: { checkpoint } }: Receipt): ProvedStep {
  const [first, ...others] = entries
  const decision = decisionSchema.safeParse(first?.body).data
  if (first?.kind !== 'decision' || !decision) throw invalid('its first entry is no decision')
  const starts: ProvedStep['starts'][number][] = []
  const answers: ProvedAnswer[] = []
  const outcomes: Decision[] = []
  for (const { kind, body, source } of others) {
    const start = kind === 'session' ? startSchema.safeParse(body).data : undefined
    const answer = kind === 'approval' ? eventSchema.safeParse(body).data : undefined
    const outcome = kind === 'decision' ? decisionSchema.safeParse(body).data : undefined
    if (start?.sessionId === decision.sessionId) starts.push(start)
    else if (answer?.type === 'approval.resolved' && answer.decisionId === decision.id) {
      const { id, by, resolution, scope = 'once', reason } = answer
      answers.push({ id, by, resolution, scope, reason, timeMs: source?.time ?? 0 })
    } else if (outcome?.kind === 'approval' && isOfStep(outcome, decision)) outcomes.push(outcome)
    else throw invalid(`an entry of kind \`${kind}\` in it is not about the same step`)
  }
  return { decision, starts, answers, outcomes, checkpoint }
}

const isOfStep = (outcome: Decision, { sessionId, callId, argumentsDigest }: Decision): boolean =>
  outcome.sessionId === sessionId && outcome.callId === callId && outcome.argumentsDigest === argumentsDigest
