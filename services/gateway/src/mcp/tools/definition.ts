import { digestOf } from '@plimsoll/contracts'
import type { Tool } from '@modelcontextprotocol/server'

/**
 * What of a tool is pinned: everything that tells a model or a human what it does and takes. SHA-256 in hex of its canonical JSON.
 */
export function definitionDigest(tool: Tool): string {
  const { name, title, description, inputSchema, outputSchema, annotations, _meta } = tool
  return digestOf({ name, title, description, inputSchema, outputSchema, annotations, _meta })
}

const PARTS = ['title', 'description', 'inputSchema', 'outputSchema', 'annotations', '_meta'] as const
export type DefinitionPart = (typeof PARTS)[number]

/** Each part of a definition by its digest, so that a change can be told by its part. */
export function partDigests(tool: Tool): Record<DefinitionPart, string> {
  const digest = (part: DefinitionPart) => digestOf(tool[part] ?? null).slice(0, 16)
  return {
    title: digest('title'),
    description: digest('description'),
    inputSchema: digest('inputSchema'),
    outputSchema: digest('outputSchema'),
    annotations: digest('annotations'),
    _meta: digest('_meta'),
  }
}

/** The parts in which two definitions differ. */
export function changedParts(
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<DefinitionPart, string>>,
): readonly DefinitionPart[] {
  return PARTS.filter((part) => before[part] !== after[part])
}
