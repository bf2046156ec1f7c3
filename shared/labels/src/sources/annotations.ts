import type { LabelName, LabelValues } from './claim.js'
import type { ToolAnnotations } from './tool-definition.js'

/** What a hint says of a label: not its value, but where it lies. */
export interface Hint<K extends LabelName = LabelName> {
  readonly label: K
  readonly value: LabelValues[K]
  /** Whether the value is the least or the most that the label is. */
  readonly bound: 'atLeast' | 'atMost'
  readonly reason: string
}

/**
 * What MCP's annotations say, where they say it: a hint that is left out says nothing, whatever its default. They narrow what the name
 * says. That the world is closed says little of who wrote what is in it, and an open world is not always the network.
 */
export function hintsOf(annotations: ToolAnnotations | undefined): readonly Hint[] {
  const { readOnlyHint, destructiveHint, openWorldHint } = annotations ?? {}
  const hints: Hint[] = []
  if (readOnlyHint === true) {
    const reason = 'readOnlyHint'
    // A reader may still go out into the world to read.
    const most = openWorldHint === false ? 'read' : 'network'
    hints.push({ label: 'capability', value: most, bound: 'atMost', reason })
    hints.push({ label: 'reversibility', value: 'reversible', bound: 'atMost', reason })
  }
  if (readOnlyHint === false)
    hints.push({ label: 'capability', value: 'write', bound: 'atLeast', reason: 'not readOnlyHint' })
  if (destructiveHint === true && readOnlyHint !== true) {
    hints.push({ label: 'capability', value: 'write', bound: 'atLeast', reason: 'destructiveHint' })
    hints.push({ label: 'reversibility', value: 'partial', bound: 'atLeast', reason: 'destructiveHint' })
  }
  if (readOnlyHint === false) {
    if (destructiveHint === false)
      hints.push({ label: 'reversibility', value: 'partial', bound: 'atMost', reason: 'not destructiveHint' })
  }
  if (openWorldHint === true)
    hints.push({ label: 'trust', value: 'untrusted', bound: 'atLeast', reason: 'openWorldHint' })
  return hints
}
