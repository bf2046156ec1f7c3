import type { Tool } from '@modelcontextprotocol/server'
import { digestOf } from '@plimsoll/contracts'

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

/** One tool's definition as it was approved. */
export interface Pin {
  readonly digest: string
  readonly parts: Readonly<Record<string, string>>
  /** When, milliseconds since 1970. */
  readonly approvedAt: number
}

/** A server's tools as they were approved, by name. */
export type ServerPins = Readonly<Record<string, Pin>>
/** By the name of the server. */
export type PinDocument = Readonly<Record<string, ServerPins>>

/** Whether a tool is what was approved. `new`: its server was approved without it. */
export type PinState =
  | { readonly state: 'approved' }
  | { readonly state: 'new' }
  | { readonly state: 'changed'; readonly parts: readonly DefinitionPart[] }

export function pinOf(tool: Tool, now: number): Pin {
  return { digest: definitionDigest(tool), parts: partDigests(tool), approvedAt: now }
}

/** All of `tools` as they are. */
export function pinsOf(tools: readonly Tool[], now: number): ServerPins {
  return Object.fromEntries(tools.map((tool) => [tool.name, pinOf(tool, now)]))
}

export function stateOf(tool: Tool, pins: ServerPins): PinState {
  const pin = Object.hasOwn(pins, tool.name) ? pins[tool.name] : undefined
  if (!pin) return { state: 'new' }
  if (pin.digest === definitionDigest(tool)) return { state: 'approved' }
  return { state: 'changed', parts: changedParts(pin.parts, partDigests(tool)) }
}
