import { readFile, readdir } from 'node:fs/promises'
import {
  type Catalogue,
  type CatalogueEntry,
  type Documents,
  type RegisteredDocument,
  type ToolLabels,
  CAPABILITIES,
  CONFIDENTIALITY_LABELS,
  DOCUMENT_KINDS,
  DOCUMENT_SCHEMAS,
  PlimsollError,
  REVERSIBILITIES,
  TRUSTS,
  documentKindOf,
  matchesTool,
  versionOf,
} from '@plimsoll/contracts'
import { parse } from 'yaml'
import { inspectPolicy } from './inspect-policy.js'
import { compileFlow } from '../compile/scorers.js'
import { createPlaces } from './places.js'
import { type Problem, problemTexts } from './problems.js'

/** Entries of one catalogue: the schema's own limit, which is read again wherever a merged catalogue is published. */
const ENTRIES_MAX = 4096

/**
 * One catalogue of several, later ones first in everything: a tool has the entry of the last catalogue that names it, or has a pattern for it.
 * So a later pattern hides earlier exact names that it matches. The organisation is the last one given, the name that of the last
 * catalogue. Merging a result with what it was made of changes nothing.
 *
 * @throws PlimsollError `document_invalid` where there are too many entries
 * @example mergeCatalogues(shipped, mine).tools // mine first, then what it does not name
 */
export const mergeCatalogues = (first: Catalogue, ...later: readonly Catalogue[]): Catalogue =>
  later.reduce(addCatalogue, first)

function addCatalogue(base: Catalogue, added: Catalogue): Catalogue {
  const names = new Set(added.tools.flatMap(({ tools }) => tools))
  const patterns = [...names].filter(isPattern)
  const isHidden = (tool: string): boolean =>
    names.has(tool) || (!isPattern(tool) && patterns.some((pattern) => matchesTool(pattern, tool)))
  return joined(base, added, [...added.tools, ...without(base.tools, isHidden)])
}

/**
 * One catalogue of those that ship. They are written side by side, so that no pattern hides a name. Of a name that several have, the entry of
 * the last one stands, and each of its labels is the harsher: a tool of one server makes nobody else's tool of that name look milder.
 */
export const mergeShipped = (first: Catalogue, ...later: readonly Catalogue[]): Catalogue =>
  later.reduce(addShipped, first)

function addShipped(base: Catalogue, added: Catalogue): Catalogue {
  const before = new Map(base.tools.flatMap((entry) => entry.tools.map((tool) => [tool, entry.labels])))
  const names = new Set(added.tools.flatMap(({ tools }) => tools))
  const raised = added.tools.flatMap((entry) => raisedEntries(entry, before))
  return joined(base, added, [...raised, ...without(base.tools, (tool) => names.has(tool))])
}

/** The entry, and one for each of its tools that another catalogue labels harsher. */
function raisedEntries(entry: CatalogueEntry, before: ReadonlyMap<string, ToolLabels>): CatalogueEntry[] {
  const raised = entry.tools.flatMap((tool) => {
    const other = before.get(tool)
    const labels = other && harsherLabels(entry.labels, other)
    return labels ? [{ ...entry, tools: [tool], labels }] : []
  })
  const isRaised = (tool: string): boolean => raised.some(({ tools }) => tools.includes(tool))
  return [...without([entry], isRaised), ...raised]
}

/** Of each label the harsher, and all tags; undefined where those are the labels of `own`. */
function harsherLabels(own: ToolLabels, other: ToolLabels): ToolLabels | undefined {
  const tags = [...new Set([...(own.tags ?? []), ...(other.tags ?? [])])]
  const confidentiality = later(CONFIDENTIALITY_LABELS, own.confidentiality, other.confidentiality)
  const trust = later(TRUSTS, own.trust, other.trust)
  const labels: ToolLabels = {
    capability: later(CAPABILITIES, own.capability, other.capability),
    ...(confidentiality && { confidentiality }),
    ...(trust && { trust }),
    reversibility: later(REVERSIBILITIES, own.reversibility, other.reversibility),
    ...(tags.length > 0 && { tags }),
  }
  const isOwn =
    LABELS.every((label) => labels[label] === own[label]) && tags.length === (own.tags ?? []).length
  return isOwn ? undefined : labels
}

const LABELS = ['capability', 'confidentiality', 'trust', 'reversibility'] as const

/** The later of the two in `order`; what does not stand in it is the first. */
const later = <T>(order: readonly unknown[], a: T, b: T): T => (order.indexOf(b) > order.indexOf(a) ? b : a)

/** The entries without the names that are hidden; an entry that has none left is dropped. */
function without(entries: readonly CatalogueEntry[], isHidden: (tool: string) => boolean): CatalogueEntry[] {
  return entries.flatMap((entry) => {
    const tools = entry.tools.filter((tool) => !isHidden(tool))
    if (tools.length === entry.tools.length) return [entry]
    return tools.length > 0 ? [{ ...entry, tools }] : []
  })
}

function joined(base: Catalogue, added: Catalogue, tools: CatalogueEntry[]): Catalogue {
  if (tools.length > ENTRIES_MAX)
    throw new PlimsollError(
      'document_invalid',
      `catalogue \`${added.name}\`: with the catalogues before it it has ${tools.length} entries, at most ${ENTRIES_MAX} are allowed: put tools with the same labels into one entry`,
    )
  const organisation = added.organisation ?? base.organisation
  return { ...added, ...(organisation && { organisation }), tools }
}

const isPattern = (tool: string): boolean => tool.includes('*')

export type { Documents } from '@plimsoll/contracts'

/**
 * The model bundles that ship, each by the name that stands for its file wherever one is asked for. `default`: the space `flow`, fitted
 * to recorded sessions; `paper60`: the published method over the labels of tools alone, fitted to the same.
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

/** The catalogues that ship, one a file; `default.yaml` comes last. */
const CATALOGUES = new URL('../../../labels/catalogues/', import.meta.url)
const LAST_CATALOGUE = 'default.yaml'

/**
 * Parses the text of a document, YAML or JSON; `name` is told in errors. Throws `document_invalid` with every problem, also where a bundle
 * asks for features that this engine lacks. Of a policy `details.problems` has them one by one, with line and column.
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

function checked<K extends keyof Documents>(kind: K, source: Source): Documents[K] {
  const { content, name } = source
  if (kind === 'policy') {
    const { policy, problems } = inspectPolicy(content)
    if (!policy) throw policyInvalid(problems, source)
    return policy as Documents[K]
  }
  const result = DOCUMENT_SCHEMAS[kind].safeParse(content)
  if (!result.success) {
    throw new PlimsollError('document_invalid', `${kind} \`${name}\`: ${problemsOf(result.error, content)}`)
  }
  const document = result.data as Documents[K]
  if (document.kind === 'plimsoll.bundle')
    for (const flow of [document.flow, document.labelsOnly?.flow]) if (flow) compileFlow(flow)
  return document
}

function policyInvalid(found: readonly Problem[], { text, content, name }: Source): PlimsollError {
  const problems = problemTexts(found, content, createPlaces(text))
  return new PlimsollError('document_invalid', `policy \`${name}\`: ${problems.join('; ')}`, {
    details: { problems },
  })
}

/**
 * Reads a document from `file` alone, or the one that ships with Plimsoll; of a bundle `file` can be the name of one that ships. The catalogue
 * that ships is all shipped ones merged; `readCatalogue` adds files to it. Throws `document_invalid`.
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
 * The catalogues that ship, then `files` in order, merged: a later one wins, tool by tool. Throws `document_invalid`.
 *
 * @example await readCatalogue(['ours.yaml']) // what ships, and our tools
 */
export async function readCatalogue(files: readonly (string | URL)[] = []): Promise<Catalogue> {
  const [shipped, ...own] = await Promise.all([
    readShippedCatalogue(),
    ...files.map((file) => readFrom('catalogue', file)),
  ])
  return mergeCatalogues(shipped, ...own)
}

let shippedCatalogue: Promise<Catalogue> | undefined

/** Read once in a process: a dozen files of YAML take about half a second. */
const readShippedCatalogue = (): Promise<Catalogue> => (shippedCatalogue ??= readShippedFiles())

async function readShippedFiles(): Promise<Catalogue> {
  const found = (await readdir(CATALOGUES)).filter(
    (name) => name.endsWith('.yaml') && name !== LAST_CATALOGUE,
  )
  const files = [...found.toSorted(), LAST_CATALOGUE].map((name) => new URL(name, CATALOGUES))
  const [first, ...later] = await Promise.all(files.map((file) => readFrom('catalogue', file)))
  if (!first) throw new RangeError('no catalogue ships')
  return mergeShipped(first, ...later)
}

async function readFrom<K extends keyof Documents>(kind: K, file: string | URL): Promise<Documents[K]> {
  const name = String(file)
  const from = kind === 'bundle' && isShipped(file) ? SHIPPED_BUNDLES[file] : file
  return parseDocument(kind, await textOf(from, `${kind} \`${name}\``), name)
}

/**
 * Reads a document of the kind that it says it is, as it is published: a catalogue is merged with those that ship. Throws `document_invalid`.
 */
export async function readAnyDocument(file: string): Promise<RegisteredDocument> {
  const text = await textOf(file, `\`${file}\``)
  const content = parseText(text, file)
  const kind = documentKindOf(content)
  if (!kind) throw new PlimsollError('document_invalid', `\`${file}\`: kind: expected ${KINDS_EXPECTED}`)
  const own = checked(kind, { text, content, name: file })
  const document = own.kind === 'plimsoll.catalogue' ? mergeCatalogues(await readCatalogue(), own) : own
  return { kind, version: versionOf(document), document } as RegisteredDocument
}

const KINDS_EXPECTED = DOCUMENT_KINDS.map((kind) => `\`plimsoll.${kind}\``).join(', ')

const textOf = (file: string | URL, what: string): Promise<string> =>
  readFile(file, 'utf8').catch((cause: unknown) => {
    throw new PlimsollError('document_invalid', `${what} cannot be read`, { cause })
  })

/** The documents that ship with Plimsoll; the catalogue is all shipped ones merged. */
export async function defaultDocuments(): Promise<Documents> {
  const [bundle, policy, catalogue] = await Promise.all([
    readDocument('bundle'),
    readDocument('policy'),
    readDocument('catalogue'),
  ])
  return { bundle, policy, catalogue }
}

/** Parses YAML or JSON. Throws `document_invalid`, naming the place. */
export function parseText(text: string, name: string): unknown {
  try {
    return compactJson(text) ?? parse(text, { maxAliasCount: 100 })
  } catch (cause) {
    const [problem] = (cause instanceof Error ? cause.message : String(cause)).split(/:?\n/)
    throw new PlimsollError('document_invalid', `\`${name}\` is neither YAML nor JSON: ${problem}`, { cause })
  }
}

/**
 * A text that is JSON exactly as JSON.stringify writes it, as every fitted bundle is: reading its 200 kB as YAML takes ten times as long.
 * Undefined for all else; a member that is given twice is found by YAML alone.
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

interface Issues {
  readonly issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[]
}

function problemsOf({ issues }: Issues, content: unknown): string {
  return issues.map(({ path, message }) => `${placeOf(path, content)}: ${message}`).join('; ')
}

/** A catalogue has hundreds of entries: one is found by its tool rather than by its number. */
function placeOf(path: readonly PropertyKey[], content: unknown): string {
  const place = path.join('.') || 'document'
  const [list, number] = path
  if (list !== 'tools' || typeof number !== 'number') return place
  const tool = within(within(within(within(content, 'tools'), number), 'tools'), 0)
  return typeof tool === 'string' && SHOWABLE.test(tool) ? `${place} (\`${tool}\`)` : place
}

const SHOWABLE = /^[\x21-\x7e]{1,80}$/

const within = (value: unknown, key: PropertyKey): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
