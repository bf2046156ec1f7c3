import { createRandom, shuffled } from './random.js'
import { VARIANTS, type Scenario, type Variant } from './scenario.js'

/** One session to play. */
export interface Performance {
  /** From 1, in the order of the playbill. */
  readonly number: number
  readonly scenario: Scenario
  readonly variant: Variant
  /** For whatever is left to chance within the session, however many play beside it. */
  readonly seed: number
}

/** Rounds without end; in each, every scenario comes once in each variant, in an order drawn from `seed`. */
export function* playbill(scenarios: readonly Scenario[], seed: number): Generator<Performance, void, void> {
  if (scenarios.length === 0) return
  const random = createRandom(seed)
  const cast = scenarios.flatMap((scenario) => VARIANTS.map((variant) => ({ scenario, variant })))
  for (let number = 1; ;)
    for (const { scenario, variant } of shuffled(cast, random))
      yield { number: number++, scenario, variant, seed: Math.floor(random() * 2 ** 32) }
}
