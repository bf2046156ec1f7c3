import type { Tool } from '@modelcontextprotocol/server'
import { changedParts, definitionDigest, partDigests, type DefinitionPart } from './definition.js'

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
