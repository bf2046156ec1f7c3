import type { Act, ActKind, Habits, Scenario } from './scenario.js'

const EVEN = { look: 1, read: 1, pry: 1, work: 1, report: 1, share: 1 }

/** A scenario for tests: all acts are as likely as each other. */
export function sampleScenario(
  acts: Partial<Record<ActKind, readonly Act[]>>,
  given: Partial<Omit<Scenario, 'habits'>> & { readonly habits?: Partial<Habits> } = {},
): Scenario {
  const habits = { weights: { fresh: EVEN, knowing: EVEN }, led: 1, carries: 1, content: 1, ...given.habits }
  return {
    name: 'sample',
    category: 'sysadmin',
    goal: 'none',
    things: {},
    poisoned: [],
    acts,
    ...given,
    habits,
  }
}
