import { repin, type LoggedEvent, type Outcome, type SessionState } from '@plimsoll/engine'
import { differencesFrom } from './compare.js'
import { brokenRules, COSTLY_RULES, RULES, type Moment, type Step } from './invariants.js'
import { createNaiveModel } from './naive/naive-model.js'
import { createRandom } from './random.js'
import { createScript } from './script.js'
import { randomWorld, type World } from './world.js'

export interface SequenceReport {
  readonly events: number
  /** The rules broken at the first failing event; empty if all held. */
  readonly broken: readonly string[]
}

/** Worlds are costly to compile and shared by many sequences. */
const WORLDS = 64
/** One sequence in so many is checked by the costly rules too; coprime to `WORLDS`, so that each world gets its turn. */
const COSTLY_EVERY = 13

const worlds: World[] = []

function worldOf(seed: number): World {
  const index = seed % WORLDS
  return (worlds[index] ??= randomWorld(createRandom(1_000_003 * (index + 1))))
}

/** Plays the session that `seed` stands for through `step`, and checks the rules and the naive model at every event. */
export function runSequence(seed: number, step: Step): SequenceReport {
  const random = createRandom(seed)
  const worldsMet = [worldOf(seed), worldOf(seed + 1)] as const
  let { documents, rules } = worldsMet[0]
  const script = createScript(random)
  const model = createNaiveModel(documents)
  const { length } = script
  const isThorough = seed % COSTLY_EVERY === 0
  /** Each answered step, by everything that identifies it. */
  const answered = new Set<string>()
  let state: SessionState | undefined
  for (let i = 0; i < length; i++) {
    if (state && script.transitions()) {
      ;({ documents, rules } = random.pick(worldsMet))
      state = repin(state, rules.versions)
      model.transition(documents)
    }
    const { facts, ...input } = script.next(state)
    if (isThorough) freeze(state, input)
    const outcome = attempt(() => step(state, input, rules, facts))
    if (outcome instanceof Error) return { events: i + 1, broken: [`the step throws: ${outcome.message}`] }
    const moment: Moment = { before: state, input, outcome, rules, facts, step }
    const broken = brokenRules(moment, isThorough ? { ...RULES, ...COSTLY_RULES } : RULES)
    if (outcome.state && outcome.state !== state) {
      const expected = model.hear(input, outcome.state.time, outcome, facts)
      broken.push(...differencesFrom(model.session, expected, outcome.state, outcome.decision))
    }
    const { decision } = outcome
    const key = identityOf(input)
    if (decision?.kind === 'repeat' && !answered.has(key))
      broken.push('a step that was never answered is answered as a retry')
    if (decision) answered.add(key)
    if (broken.length > 0) return { events: i + 1, broken }
    if (decision?.verdict === 'confirm') script.asked(decision.id, decision.argumentsDigest)
    state = outcome.state
  }
  return { events: length, broken: [] }
}

function identityOf({ event }: LoggedEvent): string {
  const subject =
    event.type === 'step.proposed' ? [event.callId, event.tool, event.argumentsDigest] : [event.type]
  return JSON.stringify([event.id, ...subject])
}

function attempt(run: () => Outcome): Outcome | Error {
  try {
    return run()
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

/** Writing to its inputs throws. */
function freeze(state: SessionState | undefined, { event }: LoggedEvent): void {
  Object.freeze(event)
  if (!state) return
  for (const list of [state.producers, state.recent, state.calls]) {
    Object.freeze(list)
    for (const item of list) Object.freeze(item)
  }
  Object.freeze(state)
}
