import { countsTable } from '../counts-table.js'
import { textTable } from '../text-table.js'
import { LATE_MS, type Endings, type FleetFigures } from './fleet-report.js'

/** What `plimsoll fleet` prints at its end. `asked` is the rate that was asked for, steps a second. */
export function fleetText(figures: FleetFigures, asked: number | undefined): string {
  const { byCategory, seconds, stepsPerSecond, latencyMs } = figures
  const { p50, p90, p99, max } = latencyMs
  const rate = asked === undefined ? '' : ` of the ${asked} asked for`
  return [
    countsTable('category', byCategory, figures),
    endingsTable(figures),
    `${figures.steps} steps in ${seconds} s, ${stepsPerSecond}/s${rate}\n`,
    `from due to decided ${p50} ms (p50), ${p90} ms (p90), ${p99} ms (p99), ${max} ms at most\n${troubleText(figures)}`,
    'synthetic: agents, tasks and leaks are made up; nothing about real agents follows from these figures\n',
  ].join('\n')
}

function endingsTable(figures: FleetFigures): string {
  const row = (name: string, { completed, failed, cancelled, violated, leaked }: Endings) => [
    name,
    completed,
    failed,
    cancelled,
    violated,
    leaked,
  ]
  return textTable([
    ['ended', 'completed', 'failed', 'cancelled', 'violated', 'leaked'],
    ...Object.entries(figures.byCategory).map(([name, endings]) => row(name, endings)),
    row('all', figures),
  ])
}

/** What was in the way, each on a line of its own; nothing where nothing was. */
function troubleText({ late, withoutVerdict, full, retried, reviews }: FleetFigures): string {
  const { run, stopped, open } = reviews
  const { timeout, queue_full: queueFull, closed } = withoutVerdict
  const troubles: readonly (readonly [count: number, text: string])[] = [
    [
      run + stopped + open,
      `${run + stopped + open} answers of humans: ${run} run, ${stopped} stopped, ${open} open`,
    ],
    [late.steps, `${late.steps} steps started over ${LATE_MS} ms late, the latest by ${late.maxMs} ms`],
    [timeout, `${timeout} steps had no decision in time; the fail mode answered`],
    [queueFull, `${queueFull} steps found the client's queue full; the fail mode answered`],
    [closed, `${closed} steps were under way when the client closed`],
    [full, `${full} times an event waited for room in the client`],
    [retried, `${retried} times events were sent again`],
  ]
  return troubles.map(([count, text]) => (count > 0 ? `${text}\n` : '')).join('')
}
