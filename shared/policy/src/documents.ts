import { readFile } from 'node:fs/promises'
import {
  bundleSchema,
  catalogueSchema,
  PlimsollError,
  policySchema,
  type Bundle,
  type Catalogue,
  type Policy,
} from '@plimsoll/contracts'
import { parse } from 'yaml'

/** The three documents that make the rules of a session. */
export interface Documents {
  readonly bundle: Bundle
  readonly policy: Policy
  readonly catalogue: Catalogue
}

const SCHEMAS = { bundle: bundleSchema, policy: policySchema, catalogue: catalogueSchema }

const DEFAULT_FILES: Readonly<Record<keyof Documents, URL>> = {
  bundle: new URL('../bundles/default.json', import.meta.url),
  policy: new URL('../policies/default.yaml', import.meta.url),
  catalogue: new URL('../../labels/catalogues/default.yaml', import.meta.url),
}

/** Parses the text of a document, YAML or JSON; `name` is told in errors. Throws `document_invalid` with every problem. */
export function parseDocument<K extends keyof Documents>(kind: K, text: string, name: string): Documents[K] {
  const result = SCHEMAS[kind].safeParse(parseText(text, name))
  if (!result.success)
    throw new PlimsollError('document_invalid', `${kind} \`${name}\`: ${problemsOf(result.error)}`)
  return result.data as Documents[K]
}

/** Reads a document from `file`, or the one that ships with Plimsoll. Throws `document_invalid`. */
export async function readDocument<K extends keyof Documents>(
  kind: K,
  file: string | URL = DEFAULT_FILES[kind],
): Promise<Documents[K]> {
  const name = String(file)
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new PlimsollError('document_invalid', `${kind} \`${name}\` cannot be read`, { cause })
  })
  return parseDocument(kind, text, name)
}

/** The documents that ship with Plimsoll. */
export async function defaultDocuments(): Promise<Documents> {
  const [bundle, policy, catalogue] = await Promise.all([
    readDocument('bundle'),
    readDocument('policy'),
    readDocument('catalogue'),
  ])
  return { bundle, policy, catalogue }
}

function parseText(text: string, name: string): unknown {
  try {
    return parse(text, { maxAliasCount: 100 })
  } catch (cause) {
    const [problem] = (cause instanceof Error ? cause.message : String(cause)).split(/:?\n/)
    throw new PlimsollError('document_invalid', `\`${name}\` is neither YAML nor JSON: ${problem}`, { cause })
  }
}

interface Issues {
  readonly issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[]
}

function problemsOf({ issues }: Issues): string {
  return issues.map(({ path, message }) => `${path.join('.') || 'document'}: ${message}`).join('; ')
}
