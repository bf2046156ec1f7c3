import { causeKey } from './cause-tally.js'
import type { DiffExample, Truth } from './diff.js'
import type { ChangedStep, SessionDiff } from './session-diff.js'

/** Examples in all. */
const EXAMPLES_MAX = 200

/** The first steps of each way in which each spec makes a difference, one a session; of safe and of harmful sessions each. */
export function createExamples(eachMax: number) {
  const examples: DiffExample[] = []
  const taken = new Map<string, number>()
  const wanted = ({ kind, causes }: ChangedStep, truth: Truth): string | undefined =>
    causes
      .map((cause) => `${truth} ${kind} ${causeKey(cause)}`)
      .find((key) => (taken.get(key) ?? 0) < eachMax)
  return {
    add: (session: string, { changed, truth }: SessionDiff): void => {
      const here = new Set<string>()
      for (const step of changed) {
        const key = wanted(step, truth)
        if (key === undefined || here.has(key) || examples.length >= EXAMPLES_MAX) continue
        here.add(key)
        taken.set(key, (taken.get(key) ?? 0) + 1)
        const { i, tool, causes, old, candidate } = step
        examples.push({
          session,
          step: i + 1,
          tool,
          truth,
          causes,
          old: side(old),
          candidate: side(candidate),
        })
      }
    },
    list: (): readonly DiffExample[] => examples,
  }
}

const side = ({ verdict, reasons }: DiffExample['old']): DiffExample['old'] => ({ verdict, reasons })
