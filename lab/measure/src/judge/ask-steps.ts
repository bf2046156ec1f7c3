import { seededRandom } from '@plimsoll/chains'
import type { Corpus } from '@plimsoll/fit'
import { type JudgeRequest, type StepAnswer, parseStepAnswer, requestAt } from './request.js'

/** A model behind an endpoint. */
export interface JudgeModel {
  readonly name: string
  /** Never rejects. */
  ask(request: JudgeRequest): Promise<JudgeResponse>
}

/** What came of one request. */
export interface JudgeResponse {
  /** The JSON of the answer; undefined if there is none. */
  readonly value: unknown
  /** Calls of the endpoint, retries included. */
  readonly calls: number
  /** As the endpoint reports them. */
  readonly tokens?: { readonly input: number; readonly output: number } | undefined
}

/** The cost of the answers. */
export interface JudgeCost {
  readonly calls: number
  /** Sums over the answers that report tokens, and how many do. */
  readonly tokens: { readonly input: number; readonly output: number; readonly reported: number }
  /** Milliseconds of a step, with retries; NaN if no step was asked about. */
  readonly p50Ms: number
  readonly p90Ms: number
  /** Milliseconds of all together. */
  readonly totalMs: number
}

/** A step of a session, both by their places. */
export interface StepPlace {
  readonly n: number
  readonly i: number
}

export interface JudgeAnswers {
  /** By session and step: what was asked about; undefined where no usable answer came. */
  readonly bySession: ReadonlyMap<number, ReadonlyMap<number, StepAnswer | undefined>>
  readonly cost: JudgeCost
  /** Why steps were left out; undefined if all were asked about. */
  readonly ended?: 'calls_spent' | 'endpoint_silent' | undefined
}

/** Steps asked about at a time. */
const CONCURRENCY = 4
/** After so many steps in a row without a usable answer the rest is not asked about. */
const SILENT_MAX = 16

/** Asks about each step, in order, at most four at a time. Stops once `callsMax` calls were made, or the endpoint gives no usable answer any more. */
export async function askSteps(
  { recordings }: Pick<Corpus, 'recordings'>,
  places: readonly StepPlace[],
  { model, callsMax }: { readonly model: JudgeModel; readonly callsMax: number },
  onProgress: (share: number) => void = () => {},
): Promise<JudgeAnswers> {
  const bySession = new Map<number, Map<number, StepAnswer | undefined>>()
  const waited: number[] = []
  const tokens = { input: 0, output: 0, reported: 0 }
  let [calls, silent] = [0, 0]
  let ended: JudgeAnswers['ended']

  const record = ({ n, i }: StepPlace, response: JudgeResponse): void => {
    const answer = parseStepAnswer(response.value)
    const ofSession = bySession.get(n) ?? new Map<number, StepAnswer | undefined>()
    bySession.set(n, ofSession.set(i, answer))
    calls += response.calls
    silent = answer ? 0 : silent + 1
    if (!response.tokens) return
    tokens.input += response.tokens.input
    tokens.output += response.tokens.output
    tokens.reported++
  }
  const left = places.values()
  const work = async (): Promise<void> => {
    for (const place of left) {
      if (calls >= callsMax) ended ??= 'calls_spent'
      if (silent >= SILENT_MAX) ended ??= 'endpoint_silent'
      const blind = recordings[place.n]?.blind
      if (ended || !blind) return
      const began = performance.now()
      record(place, await model.ask(requestAt(blind, place.i)))
      waited.push(performance.now() - began)
      onProgress(waited.length / places.length)
    }
  }
  const began = performance.now()
  await Promise.all(Array.from({ length: CONCURRENCY }, work))
  const sorted = waited.sort((a, b) => a - b)
  const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN
  const cost = { calls, tokens, p50Ms: at(0.5), p90Ms: at(0.9), totalMs: performance.now() - began }
  return { bySession, cost, ended }
}

/** The same sessions each time. */
const SEED = 11

/** So many of `sessions`, drawn at random: asking about all would cost too much. */
export function drawSessions(sessions: readonly number[], count: number): number[] {
  const random = seededRandom(SEED)
  return sessions
    .map((n) => ({ n, at: random() }))
    .sort((a, b) => a.at - b.at)
    .slice(0, count)
    .map(({ n }) => n)
}
