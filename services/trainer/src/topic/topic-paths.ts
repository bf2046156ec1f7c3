import { PlimsollError } from '@plimsoll/contracts'
import type { Rules } from '@plimsoll/engine'
import type { Counted } from '../fit/count.js'
import { createTally } from '../fit/tally.js'
import type { SessionPath } from '../sessions/session-path.js'
import { VIOLATED_LEVEL, type Space } from '../sessions/space.js'
import type { Target } from '../sessions/truth.js'
import { playLogged } from './play-logged.js'
import { judgedSessions, type JudgedSession, type TopicReading } from './topic-sessions.js'

/** Adds up the sessions of the log over `space`, read once, in memory that does not grow with them. */
export async function countLogged(
  reading: TopicReading,
  rules: Rules,
  { space, target, categories: names }: { space: Space; target: Target; categories: readonly string[] },
): Promise<Counted> {
  const aggregate = createTally(space.size, space.start)
  const categories = new Map(names.map((name) => [name, createTally(space.size, space.start)]))
  for await (const judged of judgedSessions(reading)) {
    const { truth, session } = judged
    if (target === 'observed' && (truth.excluded !== undefined || !truth.hasSteps)) continue
    const path = pathOf(judged, rules, space, target)
    if (!path) {
      reading.census.unplayable++
      continue
    }
    if (path.arrivals.length === 0) continue
    aggregate.add(path)
    categories.get(session.category)?.add(path)
  }
  const tallies = Array.from(categories, ([name, { tally }]) => [name, tally] as const)
  return { aggregate: aggregate.tally, categories: new Map(tallies), sources: {} }
}

/** The states in which its steps arrived, up to the violation; undefined where the engine refuses to follow it. */
function pathOf(
  { session, truth }: JudgedSession,
  rules: Rules,
  space: Space,
  target: Target,
): SessionPath | undefined {
  const arrivals: number[] = []
  let violated = false
  try {
    playLogged(session, rules, {
      started: () => {},
      stepped: ({ arrived: { safety, level } }) => {
        if (violated) return
        arrivals.push(space.indexOf(safety, level))
        violated = target === 'observed' ? arrivals.length - 1 === truth.violatedAt : level === VIOLATED_LEVEL
      },
    })
  } catch (error) {
    if (error instanceof PlimsollError) return undefined
    throw error
  }
  return { arrivals, violated, unlabelled: 0, unexecuted: 0 }
}
