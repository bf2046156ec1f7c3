import { readdir } from 'node:fs/promises'
import {
  type Catalogue,
  type Documents,
  type RegisteredDocument,
  DOCUMENT_KINDS,
  DOCUMENT_SCHEMAS,
  PlimsollError,
  documentKindOf,
  versionOf,
} from '@plimsoll/contracts'
import { parse } from 'yaml'
import { compileFlow } from '../compile/scorers.js'
import { type Path, valueAt } from '../specs/walk.js'
import { mergeCatalogues, mergeShipped } from './catalogues.js'
import { inspectPolicy } from './inspect-policy.js'
import { createPlaces, problemTexts } from './problems.js'
import { assertKind, readTextFile } from './text-file.js'

/**
 * The model bundles that ship, by the names that can be given instead of a file. `default`: the space `flow`, fitted to recorded sessions;
 * `paper60`: the published method over the labels of tools alone, fitted to the same sessions.
 */
export const SHIPPED_BUNDLES = {
  default: new URL('../../bundles/default.json', import.meta.url),
  paper60: new URL('../../bundles/paper60.json', import.meta.url),
} as const satisfies Readonly<Record<string, URL>>
export type ShippedBundle = keyof typeof SHIPPED_BUNDLES

const isShipped = (name: string | URL): name is ShippedBundle =>
  typeof name === 'string' && Object.hasOwn(SHIPPED_BUNDLES, name)

const DEFAULT_FILES: Readonly<Record<Exclude<keyof Documents, 'catalogue'>, URL>> = {
  bundle: SHIPPED_BUNDLES.default,
  policy: new URL('../../policies/default.yaml', import.meta.url),
}

/** The text of the policy that ships, with its comments: to start your own from. */
export const defaultPolicyText = (): Promise<string> => readTextFile(DEFAULT_FILES.policy)

/** The catalogues that ship, one a file; `default.yaml` comes last. A published package has one file, of all merged. */
const CATALOGUES = new URL('../../../labels/catalogues/', import.meta.url)
const LAST_CATALOGUE = 'default.yaml'

/**
 * Parses the text of a document, YAML or JSON; errors show `name`. Throws `document_invalid` with every problem, also where a bundle needs
 * features that this engine lacks. For a policy, `details.problems` lists them with line and column.
 */
export function parseDocument<K extends keyof Documents>(kind: K, text: string, name: string): Documents[K] {
  return checked(kind, { text, content: parseText(text, name), name })
}

/** A document as it was read. */
interface Source {
  readonly text: string
  readonly content: unknown
  readonly name: string
}

function checked<K extends keyof Documents>(kind: K, { text, content, name }: Source): Documents[K] {
  assertKind(content, `plimsoll.${kind}`, name)
  if (kind === 'policy') {
    const { policy, problems: found } = inspectPolicy(content)
    if (policy) return policy as Documents[K]
    const problems = problemTexts(found, content, createPlaces(text))
    const message = `policy \`${name}\`: ${problems.join('; ')}`
    throw new PlimsollError('document_invalid', message, { details: { problems } })
  }
  const result = DOCUMENT_SCHEMAS[kind].safeParse(content)
  if (!result.success) {
    const problems = result.error.issues.map(({ path, message }) => `${placeOf(path, content)}: ${message}`)
    throw new PlimsollError('document_invalid', `${kind} \`${name}\`: ${problems.join('; ')}`)
  }
  const document = result.data as Documents[K]
  if (document.kind === 'plimsoll.bundle')
    for (const flow of [document.flow, document.labelsOnly?.flow]) if (flow) compileFlow(flow)
  return document
}

/**
 * Reads a document from `file`, or by default the shipped document; for a bundle `file` can be the name of a shipped bundle. The shipped
 * catalogue is all shipped catalogues merged; `readCatalogue` adds files to it. Throws `document_invalid`.
 */
export async function readDocument<K extends keyof Documents>(
  kind: K,
  file?: string | URL,
): Promise<Documents[K]> {
  if (file !== undefined) return readFrom(kind, file)
  if (kind === 'catalogue') return (await readShippedCatalogue()) as Documents[K]
  return readFrom(kind, DEFAULT_FILES[kind as Exclude<K, 'catalogue'>])
}

/**
 * Merges the shipped catalogues, then `files` in order: a later one wins, tool by tool; one with `extends: none` starts from nothing.
 * Throws `document_invalid`.
 *
 * @example await readCatalogue(['ours.yaml']) // the shipped tools, and ours
 */
export async function readCatalogue(files: readonly (string | URL)[] = []): Promise<Catalogue> {
  const [shipped, ...own] = await Promise.all([
    readShippedCatalogue(),
    ...files.map((file) => readFrom('catalogue', file)),
  ])
  return mergeCatalogues(shipped, ...own)
}

/**
 * A catalogue merged over the shipped ones, by the same rule as `readCatalogue`; by default the shipped ones.
 *
 * @throws PlimsollError `document_invalid` for what is no catalogue, such as the name of its file
 */
export async function extendShipped(own?: Catalogue): Promise<Catalogue> {
  const { kind } = Object(own ?? {}) as { readonly kind?: unknown }
  if (own !== undefined && kind !== 'plimsoll.catalogue')
    throw new PlimsollError(
      'document_invalid',
      'catalogue: expected a document with `kind: plimsoll.catalogue`, as a file of one holds it, and not its name',
    )
  if (own?.extends === 'none') return own
  const shipped = await readShippedCatalogue()
  if (!own || own === shipped) return shipped
  const found = extended.get(own) ?? mergeCatalogues(shipped, own)
  // Merged again it stays the same: a gateway's clients pass it on.
  extended.set(own, found).set(found, found)
  return found
}

const extended = new WeakMap<Catalogue, Catalogue>()

let shippedCatalogue: Promise<Catalogue> | undefined

/** Read once per process: the files of YAML take about a second, the file of a package a fiftieth of that. */
const readShippedCatalogue = (): Promise<Catalogue> => (shippedCatalogue ??= readShippedFiles())

async function readShippedFiles(): Promise<Catalogue> {
  const names = (await readdir(CATALOGUES)).filter((name) => /\.(?:yaml|json\.br)$/.test(name)).toSorted()
  const isLast = (name: string): boolean => name === LAST_CATALOGUE
  const ordered = [...names.filter((name) => !isLast(name)), ...names.filter(isLast)]
  const files = ordered.map((name) => new URL(name, CATALOGUES))
  const [first, ...later] = await Promise.all(files.map((file) => readFrom('catalogue', file)))
  if (!first) throw new RangeError('no catalogue ships')
  return mergeShipped(first, ...later)
}

async function readFrom<K extends keyof Documents>(kind: K, file: string | URL): Promise<Documents[K]> {
  const name = String(file)
  const from = kind === 'bundle' && isShipped(file) ? SHIPPED_BUNDLES[file] : file
  return parseDocument(kind, await readTextFile(from, `${kind} \`${name}\``), name)
}

/**
 * Reads a document of any kind in the form in which it is published: a catalogue is merged over the shipped ones. Throws `document_invalid`.
 */
export async function readAnyDocument(file: string): Promise<RegisteredDocument> {
  const text = await readTextFile(file)
  const content = parseText(text, file)
  const kind = documentKindOf(content)
  if (!kind) throw new PlimsollError('document_invalid', `\`${file}\`: kind: expected ${KINDS_EXPECTED}`)
  const own = checked(kind, { text, content, name: file })
  const document = own.kind === 'plimsoll.catalogue' ? await extendShipped(own) : own
  return { kind, version: versionOf(document), document } as RegisteredDocument
}

const KINDS_EXPECTED = DOCUMENT_KINDS.map((kind) => `\`plimsoll.${kind}\``).join(', ')

/** Documents, or the files that they are read from. */
export type DocumentSources = { readonly [K in keyof Documents]?: Documents[K] | string | URL }

/**
 * The documents that ship with Plimsoll, or `own` in their place: bundle and policy replace the shipped one, a catalogue is merged over the
 * shipped ones. Throws `document_invalid`.
 */
export async function defaultDocuments(own: DocumentSources = {}): Promise<Documents> {
  const [bundle, policy, catalogue] = await Promise.all([
    sourceOf('bundle', own.bundle),
    sourceOf('policy', own.policy),
    sourceOf('catalogue', own.catalogue).then(extendShipped),
  ])
  return { bundle, policy, catalogue }
}

const sourceOf = async <K extends keyof Documents>(
  kind: K,
  source: Documents[K] | string | URL | undefined,
): Promise<Documents[K]> =>
  source === undefined || typeof source === 'string' || source instanceof URL
    ? readDocument(kind, source)
    : source

/** Parses YAML or JSON. Throws `document_invalid` with the place. */
export function parseText(text: string, name: string): unknown {
  try {
    return compactJson(text) ?? parse(text, { maxAliasCount: 100 })
  } catch (cause) {
    const [problem] = (cause instanceof Error ? cause.message : String(cause)).split(/:?\n/)
    throw new PlimsollError('document_invalid', `\`${name}\` is neither YAML nor JSON: ${problem}`, { cause })
  }
}

/**
 * JSON exactly as JSON.stringify writes it, as every fitted bundle is: reading its 200 kB as YAML takes ten times as long. Undefined for
 * any other text: only the YAML parser finds duplicate members.
 */
function compactJson(text: string): unknown {
  if (!text.startsWith('{')) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return JSON.stringify(value) === text.trimEnd() ? value : undefined
  } catch {
    return undefined
  }
}

/** A catalogue has hundreds of entries: show the tool beside the index. */
function placeOf(path: Path, content: unknown): string {
  const place = path.join('.') || 'document'
  const tool = path[0] === 'tools' ? valueAt(content, [...path.slice(0, 2), 'tools', 0]) : undefined
  return typeof tool === 'string' && SHOWABLE.test(tool) ? `${place} (\`${tool}\`)` : place
}

const SHOWABLE = /^[\x21-\x7e]{1,80}$/
