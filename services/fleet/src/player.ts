import type { ProposedStep, StepResult } from '@plimsoll/client'
import { createChoice, isDelivery, type Chosen } from './choice.js'
import { contentOf, excerptOf } from './contents.js'
import { createRandom, type Random } from './random.js'
import type { Review, Scenario } from './scenario.js'

/** No session is longer. Source: SafetyDrift §7.2, whose longest has 25 steps. */
export const STEPS_MAX = 25

/** Share of calls that fail. */
const ERRORS = 0.06

/** Share of sendings whose text the agent's host has compared with what was read. */
const COMPARED = 0.5

/** Of those who are asked: how many see rightly whether something sensitive would leave, and how many are not there. */
const DISCERNING = 0.85
const AWAY = 0.1

/** After a step that may not run: how many give up, and how many of the others turn to a report. */
const GIVES_UP = 0.15
const TURNS_TO_REPORT = 0.6

/** What the agent wants to do next. */
export interface PlayedStep extends Pick<ProposedStep, 'tool' | 'arguments' | 'evidence'> {
  readonly chosen: Chosen
  /** What the tool gives back where the step runs. */
  readonly result: StepResult
  /** Whether something sensitive would leave with it: what is so in the simulated world, which nobody in it sees. */
  readonly carries: boolean
  /** What a human would say if asked; undefined where nobody is there. */
  readonly review: Review | undefined
}

/** An agent at its task, without anything of the world outside: the same seed and the same answers give the same steps. */
export interface Player {
  /** Undefined where the agent has ended. */
  next(): PlayedStep | undefined
  ran(step: PlayedStep): void
  /** The step may not run. */
  stopped(step: PlayedStep): void
  /** Whether the agent thinks that it has done its task. */
  isDone(): boolean
}

export function createPlayer(scenario: Scenario, seed: number): Player {
  const random = createRandom(seed)
  const choice = createChoice(scenario, random)
  let steps = 0
  let phase: 'playing' | 'done' | 'given up' = 'playing'
  return {
    next: () => {
      if (phase !== 'playing' || steps >= STEPS_MAX) return undefined
      const chosen = choice.next()
      if (!chosen) return undefined
      steps++
      return stepOf(chosen, scenario, choice.known(), random)
    },
    ran: ({ chosen, result }) => {
      if (result.outcome === 'error') return
      choice.did(chosen)
      if (isDelivery(chosen.kind) && random() < scenario.habits.content) phase = 'done'
    },
    stopped: ({ chosen }) => {
      choice.bar(chosen)
      if (random() < GIVES_UP || !choice.canDeliver()) phase = 'given up'
      else if (random() < TURNS_TO_REPORT) choice.turnTo('report')
    },
    isDone: () => phase === 'done',
  }
}

/** Draws the same number of times whatever comes of it. */
function stepOf(chosen: Chosen, scenario: Scenario, known: string | undefined, random: Random): PlayedStep {
  const { kind, act } = chosen
  const [tool, target, written] = act
  const fails = random() < ERRORS
  const isCareless = random() < scenario.habits.carries
  const isCompared = random() < COMPARED
  const carried = kind === 'share' && isCareless ? known : undefined
  const carries = carried !== undefined
  const text = carries ? [written, excerptOf(scenario, carried)].filter(Boolean).join('; ') : written
  return {
    chosen,
    tool,
    arguments: { target, ...(text !== undefined && { text }) },
    ...(kind === 'share' && isCompared && { evidence: carries ? 'present' : 'absent' }),
    result: fails ? { outcome: 'error' } : resultOf(target, scenario),
    carries,
    review: reviewOf(carries, random),
  }
}

function resultOf(target: string, scenario: Scenario): StepResult {
  const { things, poisoned = [] } = scenario
  const confidentiality = things[target]
  return {
    outcome: 'ok',
    result: contentOf(scenario, target),
    ...(confidentiality && { labels: { confidentiality } }),
    ...(poisoned.includes(target) && { taint: 'instructions' }),
  }
}

function reviewOf(carries: boolean, random: Random): Review | undefined {
  const isThere = random() >= AWAY
  const isRight = random() < DISCERNING
  const by = random() < 0.5 ? 'Ines Halloran' : 'Ruben Achterberg'
  if (!isThere) return undefined
  return carries === isRight
    ? { resolution: 'denied', by, reason: 'there is more in it than its reader should have' }
    : { resolution: 'approved', by, reason: 'read it; nothing in it that must not leave' }
}
