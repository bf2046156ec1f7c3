import { VERDICT_CHANGES, type Cause, type ChangeKind } from '@plimsoll/engine'
import type { DecisionDiff, SpecDiff, ToolDiff } from './diff.js'
import type { SessionDiff } from './session-diff.js'

/** Tools told apart; steps of others count for `OTHER_TOOLS`. */
const TOOLS_MAX = 1_000
export const OTHER_TOOLS = '(others)'

type Writable<T> = { -readonly [K in keyof T]: T[K] }
type Counted = Writable<Omit<SpecDiff, 'steps'>> & { readonly steps: Record<ChangeKind, number> }

/** Whose word makes the difference, and at what tools. Where several specs say the same, it counts for each. */
export function createCauseTally() {
  const specs = new Map<string, Counted>()
  const tools = new Map<string, Record<ChangeKind, number>>()
  const specOf = (cause: Cause): Counted => {
    const key = causeKey(cause)
    const known = specs.get(key)
    if (known) return known
    const made = { ...cause, steps: noChanges(), sessions: 0, safeSessions: 0, violatedSessions: 0 }
    specs.set(key, made)
    return made
  }
  const toolOf = (name: string): Record<ChangeKind, number> => {
    const key = tools.has(name) || tools.size < TOOLS_MAX ? name : OTHER_TOOLS
    const counts = tools.get(key) ?? noChanges()
    tools.set(key, counts)
    return counts
  }
  return {
    add: ({ truth, changed }: SessionDiff): void => {
      const here = new Set<Counted>()
      const inTime = new Set<Counted>()
      for (const step of changed) {
        toolOf(step.tool)[step.kind]++
        for (const cause of step.causes) {
          const spec = specOf(cause)
          spec.steps[step.kind]++
          here.add(spec)
          if (step.inTime) inTime.add(spec)
        }
      }
      for (const spec of here) {
        spec.sessions++
        if (truth === 'safe') spec.safeSessions++
        if (truth === 'violated' && inTime.has(spec)) spec.violatedSessions++
      }
    },
    figures: (): Pick<DecisionDiff, 'bySpec' | 'byTool'> => ({
      bySpec: [...specs.values()].sort(byMost),
      byTool: Array.from(tools, ([tool, steps]): ToolDiff => ({ tool, steps })).sort(byMost),
    }),
  }
}

export const causeKey = ({ source, code, how }: Cause): string => `${source}:${code}:${how}`

const noChanges = (): Record<ChangeKind, number> => ({ blocked: 0, asked: 0, warned: 0, eased: 0 })

const totalOf = ({ steps }: Pick<ToolDiff, 'steps'>): number =>
  VERDICT_CHANGES.reduce((sum, kind) => sum + steps[kind], 0)

const byMost = (a: Pick<ToolDiff, 'steps'>, b: Pick<ToolDiff, 'steps'>): number => totalOf(b) - totalOf(a)
