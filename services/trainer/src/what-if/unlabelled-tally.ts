import type { DecisionDiff } from './diff.js'
import type { JudgedStep } from './session-diff.js'

/** Counts the steps that either policy judges by its stand-in, for want of a label. */
export function createUnlabelledTally() {
  const tools = new Set<string>()
  let steps = 0
  return {
    add: (judged: readonly JudgedStep[]): void => {
      for (const { tool, old, candidate } of judged) {
        if (![...old.reasons, ...candidate.reasons].some(isUnlabelled)) continue
        steps++
        tools.add(tool)
      }
    },
    figures: (): DecisionDiff['unlabelled'] => ({ steps, tools: tools.size }),
  }
}

const isUnlabelled = ({ code }: { readonly code: string }): boolean => code === 'tool_unlabelled'
