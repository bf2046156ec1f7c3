import type { z } from 'zod'
import { bundleSchema, type Bundle } from './bundle.js'
import { catalogueSchema, type Catalogue } from './labels.js'
import { policySchema, type Policy } from './policy/index.js'

/** The three documents that make the rules of a session. */
export interface Documents {
  readonly bundle: Bundle
  readonly policy: Policy
  readonly catalogue: Catalogue
}

export type DocumentKind = keyof Documents

export const DOCUMENT_SCHEMAS = {
  bundle: bundleSchema,
  policy: policySchema,
  catalogue: catalogueSchema,
} as const satisfies { readonly [K in DocumentKind]: z.ZodType<Documents[K]> }

export const DOCUMENT_KINDS = Object.keys(DOCUMENT_SCHEMAS) as readonly DocumentKind[]

/** A document with its version, the hash of its content. */
export type RegisteredDocument = {
  readonly [K in DocumentKind]: {
    readonly kind: K
    readonly version: string
    readonly document: Documents[K]
  }
}[DocumentKind]

/** What `value` says of itself in its `kind`: `plimsoll.policy` and the like; undefined where that is none of ours. */
export function documentKindOf(value: unknown): DocumentKind | undefined {
  if (typeof value !== 'object' || value === null || !('kind' in value)) return undefined
  return DOCUMENT_KINDS.find((kind) => value.kind === `plimsoll.${kind}`)
}
