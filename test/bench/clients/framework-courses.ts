import { createDesk, type Desk, type Script } from '../../frameworks/desk.js'
import { createReleasers } from '../../support/releasers.js'
import { quantile, roundedMs, type Report } from '../report.js'

/** Runs an agent of a framework through `script`, asking before each call or not. */
export type RunAgent = (desk: Desk, script: Script, isGuarded: boolean) => Promise<unknown>

export interface Course {
  readonly name: string
  readonly run: RunAgent
  /** Turns of one call each. */
  readonly turns: number
  readonly rounds: number
}

const KINDS = ['without', 'with'] as const
type Kind = (typeof KINDS)[number]

/**
 * What passes from one tool call to the next in an agent of each framework whose model and tools take no time: without Plimsoll, and with a guard in the
 * same process, asked before and reported to after. Rounds of both kinds take turns; the first of each kind is not counted. The time of the processor is
 * this process's: of the Claude Agent SDK that is the hooks' side.
 */
export async function timeCourses(courses: readonly Course[]): Promise<Report['figures']> {
  const figures: Record<string, number> = {}
  for (const course of courses) {
    const runs: Record<Kind, Measured[]> = { without: [], with: [] }
    for (let round = 0; round <= course.rounds; round++)
      for (const kind of KINDS) {
        const measured = await measure(course, kind)
        if (round > 0) runs[kind].push(measured)
      }
    for (const kind of KINDS) {
      const intervals = runs[kind].flatMap((measured) => measured.intervalsMs)
      const cpu = runs[kind].map(({ cpuMs }) => cpuMs)
      figures[`${course.name} ${kind}: a tool call, p50, ms`] = roundedMs(quantile(intervals, 0.5))
      figures[`${course.name} ${kind}: time of the processor a tool call, ms`] = roundedMs(quantile(cpu, 0.5))
    }
  }
  return figures
}

interface Measured {
  /** From each call of a tool to the next. */
  readonly intervalsMs: readonly number[]
  /** A call, from the first to the last of them. */
  readonly cpuMs: number
}

async function measure({ run, turns }: Course, kind: Kind): Promise<Measured> {
  const releasers = createReleasers()
  const desk = await createDesk({ after: releasers.add })
  const times: number[] = []
  const spent: NodeJS.CpuUsage[] = []
  const timed = desk.tools.map((each) => ({
    ...each,
    run: (values: Readonly<Record<string, unknown>>) => {
      times.push(performance.now())
      spent.push(process.cpuUsage())
      return each.run(values)
    },
  }))
  const script = Array.from({ length: turns }, (_, i) => [
    { tool: 'list_files', arguments: { path: `/desk/${i}` } },
  ])
  await run({ ...desk, tools: timed }, script, kind === 'with')
  if (times.length !== turns) throw new Error(`${times.length} of ${turns} calls ran`)
  await releasers.releaseAll()
  const [first, last] = [spent[0], spent.at(-1)].map((usage) => (usage ? usage.user + usage.system : 0))
  return {
    intervalsMs: times.slice(1).map((time, i) => time - (times[i] ?? time)),
    cpuMs: ((last ?? 0) - (first ?? 0)) / 1_000 / (turns - 1),
  }
}
