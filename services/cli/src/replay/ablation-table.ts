import { EVIDENCES, type Verdict } from '@plimsoll/contracts'
import { textTable } from '../text-table.js'
import { TRUTHS, type Truth } from './line-tally.js'
import type { ReplayFigures } from './replay-report.js'

export interface ReplayRow {
  readonly name: string
  readonly figures: ReplayFigures
}

const JUDGED = ['unsafe', 'safe'] as const satisfies readonly Truth[]
const STOPPED = [
  ['blocked', 'block'],
  ['asked', 'confirm'],
] as const satisfies readonly (readonly [string, Verdict])[]
const CELLS = JUDGED.flatMap((truth) => STOPPED.map(([name, verdict]) => ({ truth, name, verdict })))

/** A row for each part that is added: what the line knew, and what became of violated and of safe sessions. */
export function ablationTable(rows: readonly ReplayRow[]): string {
  const heads = CELLS.map(({ truth, name }) => `${truth} ${name}`)
  return [
    'Steps at the line, by evidence of sensitive data; sessions by the worst that the line said in them, and by the worst verdict of all.\n',
    textTable([
      [
        'what is told of a step',
        ...EVIDENCES,
        ...heads.map((head) => `line: ${head}`),
        ...heads.map((head) => `all: ${head}`),
        'steps/s',
      ],
      ...rows.map(rowOf),
    ]),
    sessionCounts(rows),
  ].join('\n')
}

function rowOf({ name, figures }: ReplayRow): (string | number)[] {
  const { line, sessionsByWorstVerdict, stepsPerSecond } = figures
  const stepsOf = (evidence: (typeof EVIDENCES)[number]): number =>
    TRUTHS.reduce((sum, truth) => sum + line.stepsByEvidence[evidence][truth], 0)
  return [
    name,
    ...EVIDENCES.map(stepsOf),
    ...CELLS.map(({ truth, verdict }) => line.sessionsByWorstVerdict[truth][verdict]),
    ...CELLS.map(({ truth, verdict }) => sessionsByWorstVerdict[truth]?.[verdict] ?? 0),
    stepsPerSecond,
  ]
}

function sessionCounts([first]: readonly ReplayRow[]): string {
  const each = Object.entries(first?.figures.byTruth ?? {}).map(
    ([truth, { sessions }]) => `${sessions} ${truth}`,
  )
  return `${each.join(', ')} sessions in each row\n`
}
