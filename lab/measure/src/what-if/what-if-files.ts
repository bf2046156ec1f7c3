import { type Catalogue, type Decision } from '@plimsoll/contracts'
import type { Facts, Rules } from '@plimsoll/engine'
import type { ObserverPart } from '@plimsoll/labels'
import { type Disclosure, createDisclosure } from '@plimsoll/policy'
import {
  type About,
  type BlindTrace,
  type ReadProgress,
  createPlayer,
  createRecentSteps,
  disclosingViews,
  evaluationObserver,
  noSessionError,
  readRecordings,
  rememberedViews,
  viewsOf,
} from '@plimsoll/fit'
import { createDiffTally } from './diff-tally.js'
import type { DecisionDiff } from './diff.js'

/** As of a session that is only observed. Fleet-wide limits say nothing: how many others there were is not known here. */
export const observedFacts = ({ memory }: Rules): Facts => ({
  mode: 'observe',
  readings: Object.fromEntries(memory.fleets.flatMap(({ fleet }) => (fleet ? [[fleet.reading, -1]] : []))),
})

export interface WhatIfFilesOptions {
  readonly files: readonly string[]
  readonly old: Rules
  readonly candidate: Rules
  /** By which the client sees texts and both rules know tools. */
  readonly catalogue: Catalogue
  /** Arguments that clients are taken to disclose. */
  readonly disclose: readonly Disclosure[]
  /** What clients are taken not to tell. */
  readonly without?: readonly ObserverPart[]
  /** Sessions of this fold alone. */
  readonly fold?: number | undefined
  readonly limit?: number | undefined
  /** Examples of each way in which a spec makes a difference. */
  readonly examplesMax: number
  readonly onProgress?: (progress: ReadProgress) => void
  readonly signal?: AbortSignal
}

/**
 * What `candidate` decides otherwise than `old` over recorded sessions. Each is played under both, blindly, with the events that a client
 * would have sent; the recorded agent continues whatever is decided, so each step is judged after what really happened before it.
 * Stopped early, it reports the sessions played so far.
 *
 * @throws PlimsollError `traces_invalid`, naming the file and the line, or where there is no session in the files
 */
export async function whatIfFiles(options: WhatIfFilesOptions): Promise<DecisionDiff> {
  const { files, old, candidate, catalogue, without = [], fold, limit = Infinity, examplesMax } = options
  const seen = rememberedViews(viewsOf(evaluationObserver(catalogue, { without })))
  const views = disclosingViews(seen, createDisclosure(options.disclose))
  const shared = createRecentSteps()
  const decide = (rules: Rules) => {
    const player = createPlayer(rules, views, observedFacts(rules))
    return (trace: BlindTrace): Decision[] => {
      const decisions: Decision[] = []
      player(trace, { stepped: ({ decision }) => void decisions.push(decision) })
      return decisions
    }
  }
  const [byOld, byCandidate] = [decide(old), decide(candidate)]
  const tally = createDiffTally(examplesMax)
  let read = 0
  for await (const { blind, truth, about } of readRecordings(files, options.onProgress)) {
    read++
    if (options.signal?.aborted) break
    if (fold !== undefined && foldOf(about) !== fold) continue
    if (tally.sessions >= limit) break
    const trace = shared(blind)
    const candidates = byCandidate(trace)
    const steps = byOld(trace).flatMap((decision, i) => {
      const other = candidates[i]
      return other ? [{ tool: decision.tool, old: decision, candidate: other }] : []
    })
    tally.session(about.traceId, steps, truth)
  }
  if (read === 0) throw noSessionError(files)
  return tally.figures()
}

const foldOf = ({ attackFold, taskFold }: About): number | undefined => attackFold ?? taskFold
