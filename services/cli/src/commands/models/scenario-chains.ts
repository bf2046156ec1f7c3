import { createGuard } from '@plimsoll/client'
import type { Documents, Risk } from '@plimsoll/contracts'
import { ESCALATIONS, EXPOSURES, LEVELS, REVERSIBILITIES } from '@plimsoll/contracts'
import { safetyState } from '@plimsoll/engine'
import { type CategorisedPath, type ChainReport, TARGETS, chainsOfSessions } from '@plimsoll/measure'
import { type FleetDecision, type Scenario, SCENARIOS, runFleet } from '@plimsoll/fleet'
import { type Target, spaceOf } from '@plimsoll/fit'

/** One step of a simulated session, as the engine places it and as the simulation knows it. */
interface ScenarioStep {
  /** Index of the safety state, and the highest risk level so far. */
  readonly safety: number
  readonly level: number
  /** Whether something sensitive left with it. */
  readonly leaks: boolean
}

/** A simulated session in which no step was stopped. */
export interface ScenarioSession {
  readonly category: string
  /** Place of its task among those of its category: tasks are held out by it. */
  readonly task: number
  readonly steps: readonly ScenarioStep[]
}

/** Times that each scenario is played; 5 to 10 in the paper (SafetyDrift §7.2). */
const ROUNDS = 10
const SEED = 11

/** Tasks are held out in turn, as the folds of recordings are. */
const FOLDS = 5

/** Plays the scenarios of the fleet through the engine in this process. The verdicts stop nothing. */
export async function playScenarios(
  documents: Documents,
  { rounds = ROUNDS, scenarios = SCENARIOS }: { rounds?: number; scenarios?: readonly Scenario[] } = {},
): Promise<ScenarioSession[]> {
  const guard = await createGuard({ documents, mode: 'observe' })
  const played = new Map<string, { session: ScenarioSession; steps: ScenarioStep[] }>()
  try {
    await runFleet({
      client: guard,
      scenarios,
      seed: SEED,
      concurrency: 1,
      sessions: rounds * scenarios.length,
      obeys: false,
      onSession: ({ sessionId, scenario }) => {
        const { category } = scenario
        const task = scenarios.filter((other) => other.category === category).indexOf(scenario)
        const steps: ScenarioStep[] = []
        played.set(sessionId, { steps, session: { category, task, steps } })
      },
      onDecision: (decision) => {
        const step = stepOf(decision)
        if (step) played.get(decision.performance.sessionId)?.steps.push(step)
      },
    })
  } finally {
    await guard.close()
  }
  return Array.from(played.values(), ({ session }) => session)
}

function stepOf({ answer, step }: FleetDecision): ScenarioStep | undefined {
  const risk = answer.decision?.risk
  return risk && { ...placeOf(risk), leaks: step.carries && step.result.outcome === 'ok' }
}

const placeOf = ({ exposure, escalation, reversibility, level }: Risk) => ({
  safety: safetyState(
    EXPOSURES.indexOf(exposure),
    ESCALATIONS.indexOf(escalation),
    REVERSIBILITIES.indexOf(reversibility),
  ),
  level: LEVELS.indexOf(level),
})

/** What chains say of simulated sessions. *observed*: something sensitive left; *modelled*: the cascade says violated. */
export function scenarioChains(
  sessions: readonly ScenarioSession[],
  targets: readonly Target[] = TARGETS,
): ChainReport[] {
  const of = `${sessions.length} simulated sessions of the fleet’s scenarios, no step stopped`
  return targets.map((target) => ({
    target,
    compared: [],
    described: (['paper5', 'paper60'] as const).map((space) =>
      chainsOfSessions(
        sessions.map((session) => ({ ...pathOf(session, space, target), fold: session.task % FOLDS })),
        { space, target, of },
      ),
    ),
  }))
}

function pathOf(
  { category, steps }: ScenarioSession,
  name: 'paper5' | 'paper60',
  target: Target,
): CategorisedPath {
  const space = spaceOf(name)
  const violation = LEVELS.indexOf('violated')
  const at = steps.findIndex(({ level, leaks }) => (target === 'observed' ? leaks : level === violation))
  const counted = at < 0 ? steps : steps.slice(0, at + 1)
  const arrivals = counted.map(({ safety, level }) => space.indexOf(safety, level))
  return { category, path: { arrivals, violated: at >= 0, unlabelled: 0, unexecuted: 0 } }
}
