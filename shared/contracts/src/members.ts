import { z } from 'zod'
import { writtenPolicySchema } from './policy/index.js'
import { DOCUMENT_SCHEMAS, type DocumentKind } from './registered-document.js'

type Schema = z.core.JSONSchema.BaseSchema

const schemas = new Map<DocumentKind, Schema>()

/**
 * Names that a document of this kind may give to the members of what stands at `path` in `content`: what a misspelt one may have been
 * meant to be. Where several forms are possible, the names of all of them; empty where nothing has names there.
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

/** The forms that a schema allows; of those told apart by a word, the ones whose word the value has. */
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
