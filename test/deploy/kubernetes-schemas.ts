import { existsSync, readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import type { ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { parse } from 'yaml'
import { toolsDirectory } from './programs.js'

export interface Manifest {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string }
  readonly spec?: unknown
  readonly data?: Readonly<Record<string, string>>
}

type Schema = Record<string, unknown>

interface Definition {
  readonly spec: {
    readonly group: string
    readonly names: { readonly kind: string }
    readonly versions: readonly {
      readonly name: string
      readonly schema: { readonly openAPIV3Schema: Schema }
    }[]
  }
}

const folder = path.join(toolsDirectory, 'schemas')
export const hasSchemas = existsSync(path.join(folder, 'kubernetes.json'))

/** A check for each kind, strict: a field that the API server would prune or refuse is an error. Gives what is wrong, a line each. */
export function createManifestCheck(): (manifest: Manifest) => readonly string[] {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true })
  const checks = new Map<string, ValidateFunction>()
  const core = JSON.parse(readFileSync(path.join(folder, 'kubernetes.json'), 'utf8')) as Schema & {
    readonly $defs: Readonly<Record<string, Schema>>
  }
  ajv.addSchema({ ...core, $id: 'kubernetes' })
  for (const [name, schema] of Object.entries(core.$defs)) {
    const kinds = (schema['x-kubernetes-group-version-kind'] ?? []) as readonly Kind[]
    const [kind, ...more] = kinds
    if (kind && more.length === 0) checks.set(keyOf(kind), ajv.compile({ $ref: `kubernetes#/$defs/${name}` }))
  }
  for (const { spec } of customDefinitions())
    for (const { name: version, schema } of spec.versions)
      checks.set(
        keyOf({ group: spec.group, version, kind: spec.names.kind }),
        ajv.compile(strictly(schema.openAPIV3Schema, true)),
      )
  return (manifest) => {
    const [version = '', group = ''] = manifest.apiVersion.split('/').toReversed()
    const check = checks.get(keyOf({ group, version, kind: manifest.kind }))
    if (!check) return [`nobody knows ${manifest.apiVersion} ${manifest.kind}`]
    check(manifest)
    return (check.errors ?? []).map(
      (error) => `${error.instancePath} ${error.message} ${JSON.stringify(error.params)}`,
    )
  }
}

interface Kind {
  readonly group: string
  readonly version: string
  readonly kind: string
}

const keyOf = ({ group, version, kind }: Kind): string => `${group}/${version}/${kind}`

const customDefinitions = (): readonly Definition[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => parse(readFileSync(path.join(folder, name), 'utf8')) as Definition)

/** No property but the named ones, all the way down; a resource's own metadata is Kubernetes' affair. */
function strictly(schema: Schema, isRoot = false): Schema {
  const { properties, items, additionalProperties, pattern, ...rest } = schema
  const named = isObject(properties)
    ? mapValues(properties as Record<string, Schema>, (each) => strictly(each))
    : undefined
  return {
    ...rest,
    // Go's patterns have flags that JavaScript's have not.
    ...(typeof pattern === 'string' && !pattern.includes('(?') && { pattern }),
    ...(named && { properties: isRoot ? { ...named, metadata: { type: 'object' } } : named }),
    ...(named && rest['x-kubernetes-preserve-unknown-fields'] !== true && { additionalProperties: false }),
    ...(isObject(items) && { items: strictly(items) }),
    ...(isObject(additionalProperties) && { additionalProperties: strictly(additionalProperties) }),
  }
}

const isObject = (value: unknown): value is Schema => typeof value === 'object' && value !== null

const mapValues = (object: Record<string, Schema>, map: (value: Schema) => Schema) =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value)]))
