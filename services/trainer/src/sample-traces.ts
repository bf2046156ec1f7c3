import type { ToolLabels } from '@plimsoll/contracts'
import type { Trace } from './traces/trace.js'

const TOOLS: Readonly<Record<string, ToolLabels>> = {
  look: { capability: 'read', confidentiality: 'internal', reversibility: 'reversible' },
  mail: { capability: 'read', confidentiality: 'sensitive', reversibility: 'reversible' },
  write: { capability: 'write', reversibility: 'partial' },
  send: { capability: 'network', reversibility: 'irreversible' },
}

/** Labels of four made-up tools: look, mail, write, send. For tests. */
export const sampleLabels = (tool: string): ToolLabels | undefined => TOOLS[tool]

/** A made-up session that calls `tools` in turn; safe unless told otherwise. For tests. */
export function sampleTrace(tools: readonly string[], over: Partial<Trace> = {}): Trace {
  return {
    source: 'sample',
    trace_id: tools.join('-'),
    model: 'sample',
    task: '',
    category_hint: 'data_handling',
    suite: 'sample',
    label: { unsafe: false },
    split: 'train',
    steps: tools.map((tool, i) => ({ i, tool })),
    ...over,
  }
}

/** `sampleTrace`, violated at the step `at`. For tests. */
export function unsafeTrace(tools: readonly string[], at: number, over: Partial<Trace> = {}): Trace {
  return sampleTrace(tools, { label: { unsafe: true, violation_step: at }, ...over })
}

/** An array as what a reader gives. For tests. */
export async function* streamed<T>(values: Iterable<T>): AsyncGenerator<T> {
  yield* values
}
