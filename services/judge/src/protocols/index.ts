import { type Protocol, anthropic } from './anthropic.js'
import { openai } from './openai.js'

export const PROTOCOL_NAMES = ['openai', 'anthropic'] as const
export type ProtocolName = (typeof PROTOCOL_NAMES)[number]

export const PROTOCOLS: Readonly<Record<ProtocolName, Protocol>> = { openai, anthropic }
export type { Endpoint, Prompt, Protocol, Reading, TokenCount } from './anthropic.js'
