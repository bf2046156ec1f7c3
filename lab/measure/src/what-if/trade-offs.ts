import { type Catalogue, type Decision, PlimsollError } from '@plimsoll/contracts'
import type { Rules } from '@plimsoll/engine'
import type { ObserverPart } from '@plimsoll/labels'
import { type Disclosure, createDisclosure } from '@plimsoll/policy'
import {
  type BlindTrace,
  type ReadProgress,
  type Recording,
  createPlayer,
  createRecentSteps,
  disclosingViews,
  evaluationObserver,
  readToolLists,
  readTraces,
  recordingOf,
  rememberedViews,
  viewsOf,
} from '@plimsoll/fit'
import { type TradeOff, createTradeOffTally, outcomeOf } from '../metrics/outcome.js'
import { observedFacts } from './what-if-files.js'

/** Rules to compare, and what the clients under them do not report. */
export interface Side {
  readonly rules: Rules
  /** By which its clients see texts; default: that of all sides. */
  readonly catalogue?: Catalogue
  readonly without?: readonly ObserverPart[]
}

export interface TradeOffsOptions {
  readonly files: readonly string[]
  /** What is compared, by name. */
  readonly sides: Readonly<Record<string, Side>>
  /** By which the client sees texts. */
  readonly catalogue: Catalogue
  /** Arguments that clients disclose. */
  readonly disclose: readonly Disclosure[]
  readonly takes: (recording: Recording) => boolean
  readonly onProgress?: (progress: ReadProgress) => void
}

/** The figures of each side by source, by their names. */
export type TradeOffs = Readonly<Record<string, Readonly<Record<string, TradeOff>>>>

/**
 * What each side costs honest work and lets through of harm over recorded sessions, played blindly under all of them. Sessions whose truth
 * is unknown are left out.
 *
 * @throws PlimsollError `traces_invalid`, naming the file and the line, or where no session of the files is taken
 */
export async function tradeOffs(options: TradeOffsOptions): Promise<TradeOffs> {
  const { files, sides, takes } = options
  const lists = await readToolLists(files)
  const shared = createRecentSteps()
  const viewsBy = createSharedViews(options)
  const compared = Object.entries(sides).map(
    ([name, { rules, without = [], catalogue = options.catalogue }]) =>
      createSide(name, createPlayer(rules, viewsBy(catalogue, without), observedFacts(rules))),
  )
  let taken = 0
  for await (const trace of readTraces(files, options.onProgress)) {
    const recording = recordingOf(trace, lists)
    if (recording.truth.excluded !== undefined || !takes(recording)) continue
    taken++
    const blind = shared(recording.blind)
    for (const side of compared) side.add(recording, blind, trace.utility === true)
  }
  if (taken === 0) throw new PlimsollError('traces_invalid', 'the files have no session to count')
  return Object.fromEntries(compared.map(({ name, figures }) => [name, figures()]))
}

/** Sides whose clients report the same share their views: reading texts takes most of the time. */
function createSharedViews({ disclose }: Pick<TradeOffsOptions, 'disclose'>) {
  const known = new Map<Catalogue, Map<string, ReturnType<typeof disclosingViews>>>()
  return (catalogue: Catalogue, without: readonly ObserverPart[]) => {
    const ofCatalogue = known.get(catalogue) ?? new Map<string, ReturnType<typeof disclosingViews>>()
    const key = [...without].sort().join()
    const found =
      ofCatalogue.get(key) ??
      disclosingViews(
        rememberedViews(viewsOf(evaluationObserver(catalogue, { without }))),
        createDisclosure(disclose),
      )
    known.set(catalogue, ofCatalogue.set(key, found))
    return found
  }
}

function createSide(name: string, player: ReturnType<typeof createPlayer>) {
  const bySource = new Map<string, ReturnType<typeof createTradeOffTally>>()
  const tallyOf = (source: string) => {
    const tally = bySource.get(source) ?? createTradeOffTally()
    bySource.set(source, tally)
    return tally
  }
  return {
    name,
    add: ({ truth, about }: Recording, blind: BlindTrace, isUseful: boolean): void => {
      const steps: Decision[] = []
      player(blind, { stepped: ({ decision }) => void steps.push(decision) })
      tallyOf(about.source).add(outcomeOf(steps, truth), isUseful)
    },
    figures: (): Readonly<Record<string, TradeOff>> =>
      Object.fromEntries(Array.from(bySource, ([source, tally]) => [source, tally.figures()])),
  }
}
