import { z } from 'zod'
import { type Bundle, bundleSchema } from './bundle.js'
import { type Catalogue, catalogueSchema } from './catalogue.js'
import { type Policy, policySchema, writtenPolicySchema } from './policy.js'

/** The three documents that form the rules of a session. */
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

/** The document kind in the `kind` of `value` (`plimsoll.policy` and so on); undefined if it is another. */
export function documentKindOf(value: unknown): DocumentKind | undefined {
  if (typeof value !== 'object' || value === null || !('kind' in value)) return undefined
  return DOCUMENT_KINDS.find((kind) => value.kind === `plimsoll.${kind}`)
}

type Schema = z.core.JSONSchema.BaseSchema

const schemas = new Map<DocumentKind, Schema>()

/**
 * Valid member names at `path` in `content` for a document of this kind, to suggest the meant one for a misspelt member. If several
 * forms are possible, the names of all of them; empty if there are no members.
 */
export function membersAt(
  kind: DocumentKind,
  path: readonly PropertyKey[],
  content: unknown,
): readonly string[] {
  let forms = expand(schemaOf(kind), content)
  let value = content
  for (const key of path) {
    value = within(value, key)
    const held = value
    forms = forms.flatMap((form) => below(form, key)).flatMap((form) => expand(form, held))
  }
  return [...new Set(forms.flatMap(({ properties }) => Object.keys(properties ?? {})))]
}

function schemaOf(kind: DocumentKind): Schema {
  const known = schemas.get(kind)
  if (known) return known
  const made = z.toJSONSchema(kind === 'policy' ? writtenPolicySchema : DOCUMENT_SCHEMAS[kind])
  schemas.set(kind, made)
  return made
}

/** The alternatives of a schema; of a discriminated union, those that match the value's discriminator. */
function expand(schema: Schema, value: unknown): Schema[] {
  const forms = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flatMap((form) => expand(form, value))
  const own = schema.properties || schema.items ? [schema] : []
  return [...own, ...forms.filter((form) => isNamed(form, value))]
}

const isNamed = ({ properties = {} }: Schema, value: unknown): boolean =>
  Object.entries(properties).every(
    ([key, member]) =>
      typeof member === 'boolean' || member.const === undefined || within(value, key) === member.const,
  )

function below(schema: Schema, key: PropertyKey): Schema[] {
  const { items, prefixItems, properties = {}, additionalProperties } = schema
  const candidates =
    typeof key === 'number'
      ? [prefixItems?.[key] ?? items]
      : [Object.hasOwn(properties, key) ? properties[String(key)] : additionalProperties]
  return candidates.flat().filter((candidate) => typeof candidate === 'object')
}

const within = (value: unknown, key: PropertyKey): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? Reflect.get(value, key)
    : undefined
