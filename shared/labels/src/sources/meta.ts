import { claimedLabelsSchema, type ClaimedLabels } from '@plimsoll/contracts'
import type { Claim, Claims, LabelName, LabelValues } from './claim.js'
import type { ToolDefinition } from './tool-definition.js'

/** Under which key of a tool's `_meta` a server may label it: an object of Plimsoll's labels, any of them left out. */
export const META_KEY = 'dev.plimsoll/labels'

/** Reads labels out of a tool as a server lists it; undefined where there are none. Throws nothing. */
export type MetaAdapter = (tool: ToolDefinition) => ClaimedLabels | undefined

/** `_meta['dev.plimsoll/labels']`. What is no label there is passed over, all of it. */
export const plimsollMeta: MetaAdapter = ({ _meta }) => {
  const result = claimedLabelsSchema.safeParse(_meta?.[META_KEY])
  return result.success ? result.data : undefined
}

/**
 * The draft of trust and sensitivity annotations (SEP-1913) as far as it speaks of a tool: `sensitiveHint` low, medium or high,
 * `privateHint`. A draft: give it as an adapter where a server follows it.
 */
export const sensitivityDraft: MetaAdapter = ({ annotations }) => {
  const { sensitiveHint, privateHint } = annotations ?? {}
  if (sensitiveHint === 'high' || sensitiveHint === 'medium') return { confidentiality: 'sensitive' }
  if (privateHint === true || sensitiveHint === 'low') return { confidentiality: 'internal' }
  return undefined
}

/** The claims of the first adapter that finds any. */
export function metaClaims(tool: ToolDefinition, adapters: readonly MetaAdapter[]): Claims {
  for (const adapter of adapters) {
    const found = adapter(tool)
    if (found && Object.keys(found).length > 0) return claimsIn(found)
  }
  return { labels: {} }
}

function claimsIn({ capability, confidentiality, trust, reversibility, tags }: ClaimedLabels): Claims {
  return {
    labels: {
      ...(capability && { capability: said(capability) }),
      ...(confidentiality && { confidentiality: said(confidentiality) }),
      ...(trust && { trust: said(trust) }),
      ...(reversibility && { reversibility: said(reversibility) }),
    },
    ...(tags && { tags }),
  }
}

const said = <K extends LabelName>(value: LabelValues[K]): Claim<K> => ({
  value,
  source: 'meta',
  confidence: 0.9,
  reason: 'the server says so',
})
