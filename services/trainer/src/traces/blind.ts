import type { Trace } from './trace.js'

/** One step as the client that reports it sees it: before it runs the tool and its arguments, then what came of it. */
export interface BlindStep {
  readonly tool: string
  /** As the tool's owner describes it to the agent, where that is known. */
  readonly description?: string
  readonly args: Readonly<Record<string, unknown>>
  /** Any JSON; undefined where nothing came back. */
  readonly result: unknown
  readonly error: boolean
}

/**
 * A recorded session with everything left out that no client could know at the time: label, attack, taint, execution, utility, folds,
 * suite, model and ids. Whatever is computed for a step is computed from this.
 */
export interface BlindTrace {
  readonly task: string
  /** The category as the agent declares it. */
  readonly category: string
  readonly steps: readonly BlindStep[]
}

/** What the owner of `tool` says of it, among the tools that go by `toolsRef`. */
export type DescribeTool = (toolsRef: string, tool: string) => string | undefined

export const NO_DESCRIPTIONS: DescribeTool = () => undefined

export function blindOf(trace: Trace, describe: DescribeTool = NO_DESCRIPTIONS): BlindTrace {
  const { task, category_hint, tools_ref } = trace
  const steps = trace.steps.map(({ tool, args = {}, result, error }): BlindStep => {
    const description = typeof tools_ref === 'string' ? describe(tools_ref, tool) : undefined
    return { tool, ...(description !== undefined && { description }), args, result, error: error === true }
  })
  return { task, category: category_hint, steps }
}
