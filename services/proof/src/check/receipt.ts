import { PlimsollError, digestSchema, parseDecisionId, tenantOf } from '@plimsoll/contracts'
import { z } from 'zod'
import { type Entry, type EntryBody, entrySchema, isErased } from '../file/entry.js'
import { type SignedCheckpoint, signedCheckpointSchema } from '../tree/checkpoint.js'
import type { PublicKey } from '../tree/keys.js'
import { PROOF_HASHES_MAX } from '../tree/merkle-tree.js'
import { verifyFile } from './verify.js'

/** Entries of a receipt: a decision, starts of its session, answers to its question, and what was decided on each. */
const ENTRIES_MAX = 32
/** Of each kind that belongs to the decision, the first: others may try to start the session again. */
const RELATED_MAX = 8
/** Entries of a session that are looked through. */
const SESSION_ENTRIES_MAX = 100_000

export const RECEIPT_SCHEMA = 1

/** The proof of one step, for those who have nothing but the public key. */
export const receiptSchema = z.strictObject({
  schema: z.literal(RECEIPT_SCHEMA),
  kind: z.literal('receipt'),
  checkpoint: signedCheckpointSchema,
  entries: z
    .array(
      entrySchema.extend({
        proof: z
          .array(digestSchema)
          .max(PROOF_HASHES_MAX)
          .describe("The hashes beside the way from the entry's leaf to the root, from below."),
      }),
    )
    .min(1)
    .max(ENTRIES_MAX)
    .describe('First the decision on the step.'),
})
export type Receipt = z.infer<typeof receiptSchema>

/** Names a step: by the id of a decision on it, or by its number in the session. */
export type WantedStep = { readonly decision: string } | { readonly session: string; readonly step: number }

/** What is kept of the entries of a session until the step is known. */
interface Candidate {
  readonly index: number
  readonly kind: Entry['kind']
  readonly id: unknown
  readonly decisionKind: unknown
  readonly eventId: unknown
  readonly callId: unknown
  readonly step: unknown
  /** Of an answer: the question. */
  readonly decisionId: unknown
}

/**
 * The receipt of a step from the proof file of its tenant, under the file's last checkpoint. Rejects with `document_invalid` if the file does
 * not verify, and with `record_unknown` if it has no such step, or nothing signs it yet.
 */
export async function makeReceipt(file: string, wanted: WantedStep, key: PublicKey): Promise<Receipt> {
  const session = sessionOf(wanted)
  const candidates: Candidate[] = []
  const first = await verifyFile(file, {
    key,
    onEntry: ({ index, kind, body }) => {
      if (
        body?.['sessionId'] !== session ||
        (kind !== 'decision' && kind !== 'session' && kind !== 'approval')
      )
        return
      if (candidates.length >= SESSION_ENTRIES_MAX) return
      candidates.push(candidateOf(index, kind, body))
    },
  })
  assertVerified(file, first.problem)
  const size = first.checkpoint?.checkpoint.size ?? 0
  const indexes = chooseEntries(candidates, wanted)
  if (indexes.some((index) => index >= size))
    throw unknown('no checkpoint covers the step yet: the recorder signs one within its interval')
  return collect(file, key, indexes, size)
}

const sessionOf = (wanted: WantedStep): string => {
  if ('session' in wanted) return wanted.session
  const parsed = parseDecisionId(wanted.decision)
  if (parsed) return parsed.sessionId
  throw new PlimsollError(
    'usage_invalid',
    `\`${wanted.decision}\` is no id of a decision: \`SESSION#EVENT#KIND\``,
  )
}

/** The tenant whose file has the step. Throws `usage_invalid` for what is no id of a decision. */
export const tenantOfStep = (wanted: WantedStep): string => tenantOf(sessionOf(wanted))

const candidateOf = (index: number, kind: Entry['kind'], body: EntryBody): Candidate => ({
  index,
  kind,
  id: body['id'],
  decisionKind: body['kind'],
  eventId: body['eventId'],
  callId: body['callId'],
  step: body['step'],
  decisionId: body['decisionId'],
})

/** The decision on the step first, then what belongs to it, in their order. */
function chooseEntries(candidates: readonly Candidate[], wanted: WantedStep): readonly number[] {
  // A monitor that was killed publishes a decision again, byte for byte.
  const decisions = uniqueById(candidates.filter(({ kind }) => kind === 'decision'))
  const answers = uniqueById(candidates.filter(({ kind }) => kind === 'approval'))
  const decision = findDecision(decisions, answers, wanted)
  const later = decisions.slice(decisions.indexOf(decision) + 1)
  const next = later.findIndex((each) => each.callId === decision.callId && each.decisionKind === 'step')
  const outcomes = (next < 0 ? later : later.slice(0, next)).filter(
    (each) => each.callId === decision.callId && each.decisionKind === 'approval',
  )
  const related = [
    candidates.filter(({ kind }) => kind === 'session'),
    answers.filter(({ decisionId }) => decisionId === decision.id),
    decision.decisionKind === 'step' ? outcomes : [],
  ].flatMap((each) => each.slice(0, RELATED_MAX))
  return [decision.index, ...related.map(({ index }) => index).toSorted((a, b) => a - b)]
}

const uniqueById = (candidates: readonly Candidate[]): readonly Candidate[] =>
  [...new Map(candidates.toReversed().map((each) => [each.id, each] as const)).values()].toSorted(
    (a, b) => a.index - b.index,
  )

function findDecision(
  decisions: readonly Candidate[],
  answers: readonly Candidate[],
  wanted: WantedStep,
): Candidate {
  if ('session' in wanted) {
    const { session, step } = wanted
    const found = decisions.filter((each) => each.decisionKind === 'step' && each.step === step)
    const [only, ...others] = found
    if (only && others.length === 0) return only
    if (!only) throw unknown(`the file has no step ${step} of session \`${session}\``)
    // A blocked step has no number of its own: the next proposal gets it too.
    const ids = found.slice(0, 5).map(({ id }) => `\`${String(id)}\``)
    throw new PlimsollError(
      'usage_invalid',
      `step ${step} of session \`${session}\` was proposed ${found.length} times: name one of its decisions, such as ${ids.join(', ')}`,
    )
  }
  const given = decisions.find(({ id }) => id === wanted.decision)
  if (!given) throw unknown(`the file has no decision \`${wanted.decision}\``)
  if (given.decisionKind !== 'approval') return given
  // It answers an answer: the question is what the receipt is about.
  const question = answers.find(({ id }) => id === given.eventId)?.decisionId
  return decisions.find(({ id }) => id === question) ?? given
}

/** Reads the file again, with the proofs of the entries that were chosen. */
async function collect(
  file: string,
  key: PublicKey,
  indexes: readonly number[],
  size: number,
): Promise<Receipt> {
  const chosen = new Set(indexes)
  const entries = new Map<number, Entry>()
  let proved:
    | { readonly checkpoint: SignedCheckpoint; readonly proofs: ReadonlyMap<number, readonly Buffer[]> }
    | undefined
  const { problem } = await verifyFile(file, {
    key,
    isTracked: ({ index }) => chosen.has(index),
    onEntry: (entry) => {
      if (chosen.has(entry.index)) entries.set(entry.index, entry)
    },
    onCheckpoint: (checkpoint, proofs) => {
      // A recorder may have signed another since the first reading.
      if (checkpoint.checkpoint.size >= size) proved ??= { checkpoint, proofs: proofs() }
    },
  })
  assertVerified(file, problem)
  return {
    schema: RECEIPT_SCHEMA,
    kind: 'receipt',
    checkpoint: proved?.checkpoint ?? absurd(),
    entries: indexes.map((index) => {
      const entry = entries.get(index) ?? absurd()
      if (isErased(entry)) throw unknown('the records of the step were erased')
      const proof = proved?.proofs.get(index) ?? absurd()
      return { ...entry, proof: proof.map((hash) => hash.toString('hex')) }
    }),
  }
}

/** For what the first reading has shown to be there. */
function absurd(): never {
  throw new PlimsollError('document_invalid', 'the file was changed while it was read: try again')
}

function assertVerified(file: string, problem: string | undefined): void {
  if (problem !== undefined)
    throw new PlimsollError('document_invalid', `\`${file}\` does not verify: ${problem}`)
}

const unknown = (message: string): PlimsollError => new PlimsollError('record_unknown', message)
