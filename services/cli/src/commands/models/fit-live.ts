import { type Bundle, meaningOf, monthsBack, transitionCountsName, versionOf } from '@plimsoll/contracts'
import { monitorSettings } from '@plimsoll/monitor'
import { readDocument } from '@plimsoll/policy'
import { redisSettings } from '@plimsoll/runtime'
import {
  type LiveTally,
  type Refit,
  LIVE_KAPPA,
  bundleText,
  liveChanges,
  refitFromLive,
  writeWhole,
} from '@plimsoll/fit'
import type { Context } from '../../command.js'
import { configOf, openStore, within } from '../../deployment.js'
import { leftTable, textTable } from '../../format/text.js'

/** Transitions shown, those that differ most. */
const CHANGES_SHOWN = 12

/** The counts, the result for each chain, and the transitions in which live sessions differ from recorded ones. */
export function liveText(refitted: RefittedLive): string {
  const { present, bundle, tallies, kept, months, kappa } = { kappa: kappaOf(refitted.bundle), ...refitted }
  const named = [['aggregate', tallies.aggregate] as const, ...tallies.categories]
  const head = ['chain', 'sessions', 'steps', 'ended', 'at level violated', `old P(${bundle.horizon})`, 'new']
  const rows = named.map(([name, tally]) => [
    kept.includes(name) ? `${name} (kept)` : name,
    tally.sessions,
    tally.steps,
    tally.ended,
    shareText(tally),
    startRiskText(present, name, tally),
    startRiskText(bundle, name, tally),
  ])
  const keptNote = kept.length > 0 ? 'Chains marked (kept) have too few counts and do not change.\n' : ''
  const changes = liveChanges(present.aggregate, tallies.aggregate, present, CHANGES_SHOWN)
  return [
    `counts from ${months.at(-1)} to ${months[0]}, combined with at most ${kappa} recorded steps for each state\n\n`,
    textTable([head, ...rows]),
    keptNote,
    changes.length === 0
      ? '\nLive and recorded sessions agree: no transition differs outside its 95% interval.\n'
      : `\nTransitions that differ in live sessions (share of the steps from each state, 95% interval):\n${changesTable(changes)}`,
    '\nThe thresholds are those of the old chains. Run the bundle in shadow before you activate it.\n',
  ].join('')
}

function changesTable(changes: ReturnType<typeof liveChanges>): string {
  const rows = changes.map(({ from, to, recorded, live, low, high, n, of }) => [
    from,
    to,
    percent(recorded),
    `${percent(live)} (${percent(low)}–${percent(high)})`,
    `${n} of ${of}`,
  ])
  return leftTable([['from', 'to', 'recorded', 'live', 'steps'], ...rows], '  ')
}

const kappaOf = ({ origin }: Bundle): number => Number(origin['kappa'])

/** P(violated within the horizon) at the start of a session, over the start states of live sessions. */
function startRiskText({ aggregate, categories, horizon }: Bundle, name: string, live: LiveTally): string {
  if (live.sessions === 0) return '–'
  const ahead = (categories[name] ?? aggregate).forward[horizon] ?? []
  let sum = 0
  for (const [state, n] of live.starts) sum += n * (ahead[state] ?? 0)
  return percent(sum / live.sessions)
}

function shareText({ violated, sessions }: LiveTally): string {
  return sessions === 0 ? '–' : `${violated} (${percent(violated / sessions)})`
}

const percent = (share: number): string => `${(100 * share).toFixed(1)}%`

/** What `fit --from-live` reads of the monitors' environment. */
export const liveSettings = { ...redisSettings, bundles: monitorSettings.bundles }

/** How many months back counts are read, this one included. */
const MONTHS = 2

export interface LiveOrder {
  readonly out: string
  /** File of the bundle that the sessions are pinned to; the monitors' first where it is left out. */
  readonly model: string | undefined
}

export interface RefittedLive extends Refit {
  readonly present: Bundle
  readonly version: string
  readonly months: readonly string[]
}

/** Refits the chains of the bundle that runs from what monitors have counted, and writes the bundle. */
export async function fitLive(order: LiveOrder, { env }: Pick<Context, 'env'>): Promise<RefittedLive> {
  const config = configOf(liveSettings, env)
  const present = await readDocument('bundle', order.model ?? config.bundles?.[0])
  const months = monthsBack(Date.now(), MONTHS)
  const counted = await within(async (onRelease) => {
    const store = openStore(config, onRelease)
    const meaning = meaningOf(present)
    return Promise.all(months.map((month) => store.counted(transitionCountsName(meaning, month))))
  })
  const refit = refitFromLive({ bundle: present, counted, months, kappa: LIVE_KAPPA })
  await writeWhole(order.out, bundleText(refit.bundle))
  return { ...refit, present, months, version: versionOf(refit.bundle) }
}
