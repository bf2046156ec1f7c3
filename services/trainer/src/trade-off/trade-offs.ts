import { PlimsollError, type Catalogue, type Verdict } from '@plimsoll/contracts'
import type { Rules } from '@plimsoll/engine'
import { createDisclosure, type Disclosure } from '@plimsoll/policy'
import { disclosingViews } from '../scoring/disclosing-views.js'
import { evaluationObserver } from '../scoring/evaluation-observer.js'
import { createPlayer, playBy, viewsOf, type Player } from '../scoring/play.js'
import { rememberedViews } from '../scoring/remembered-views.js'
import { blindOf, type BlindTrace } from '../traces/blind.js'
import { readTraces, type ReadProgress } from '../traces/read-traces.js'
import { createRecentSteps } from '../traces/recent-steps.js'
import { exclusionFor } from '../traces/recording.js'
import { readDescriptions } from '../traces/tool-descriptions.js'
import type { Trace } from '../traces/trace.js'
import { outcomeOf, type Happened } from './outcome.js'
import { createTradeOffTally, type TradeOff } from './tally.js'

export interface TradeOffsOptions {
  readonly files: readonly string[]
  /** What is compared, by name. */
  readonly sides: Readonly<Record<string, Rules>>
  /** By which the client sees texts. */
  readonly catalogue: Catalogue
  /** What clients disclose. */
  readonly disclose: readonly Disclosure[]
  readonly isTaken: (trace: Trace) => boolean
  readonly onProgress?: (progress: ReadProgress) => void
}

/** Of each side the figures of each source, by their names. */
export type TradeOffs = Readonly<Record<string, Readonly<Record<string, TradeOff>>>>

/**
 * What each of `sides` costs honest work and lets through of harm over recorded sessions, played blindly under all of them. Sessions of
 * which nobody knows whether they did harm are left out.
 *
 * @throws PlimsollError `traces_invalid`, naming the file and the line, or where no session of the files is taken
 */
export async function tradeOffs(options: TradeOffsOptions): Promise<TradeOffs> {
  const { files, sides, catalogue, disclose, isTaken } = options
  const seen = rememberedViews(viewsOf(evaluationObserver(catalogue)))
  const views = disclosingViews(seen, createDisclosure(disclose))
  const describe = await readDescriptions(files)
  const shared = createRecentSteps()
  const compared = Object.entries(sides).map(([name, rules]) => createSide(name, createPlayer(rules, views)))
  let taken = 0
  for await (const trace of readTraces(files, options.onProgress)) {
    const happened = happenedIn(trace)
    if (!happened || !isTaken(trace)) continue
    taken++
    const blind = shared(blindOf(trace, describe))
    for (const side of compared) side.add(trace, blind, happened)
  }
  if (taken === 0) throw new PlimsollError('traces_invalid', 'no session of the files is taken')
  return Object.fromEntries(compared.map(({ name, figures }) => [name, figures()]))
}

function createSide(name: string, player: Player) {
  const bySource = new Map<string, ReturnType<typeof createTradeOffTally>>()
  const tallyOf = (source: string) => {
    const tally = bySource.get(source) ?? createTradeOffTally()
    bySource.set(source, tally)
    return tally
  }
  return {
    name,
    add: ({ source, utility }: Trace, blind: BlindTrace, happened: Happened): void => {
      const verdicts: Verdict[] = []
      playBy(player, blind, { stepped: ({ decision }) => void verdicts.push(decision.verdict) })
      tallyOf(source).add(outcomeOf(verdicts, happened), { useful: utility === true })
    },
    figures: (): Readonly<Record<string, TradeOff>> =>
      Object.fromEntries(Array.from(bySource, ([source, tally]) => [source, tally.figures()])),
  }
}

/** Undefined where nobody knows. */
function happenedIn({ label, steps }: Trace): Happened | undefined {
  if (steps.length === 0 || exclusionFor(label) !== undefined) return undefined
  if (label.unsafe !== true) return { violated: false }
  const at = steps.findIndex(({ i }) => i === label.violation_step)
  return { violated: true, violatedAt: at >= 0 ? at : undefined }
}
