import type { Claim, Claims, LabelName, LabelValues, ToolDefinition } from '../claim.js'
import { type Action, ACTIONS } from './actions.js'
import { type Reading, readingOf } from './reading.js'
import { type ToolAction, actionOf } from './tool-action.js'
import { readSet, longPattern } from '../../text/data.js'

/** What a tool returns. */
export interface Result {
  readonly confidentiality: LabelValues['confidentiality']
  readonly trust: LabelValues['trust']
  readonly confidence: number
  /** Confidence of the trust, if it is lower. */
  readonly trustConfidence?: number
  readonly reason: string
}

/** Words of a description that say that the tool returns the object itself, not only a status. */
const GIVES_BACK = longPattern('result.GIVES_BACK')
const GIVES_SECRETS = new Set(['create', 'generate', 'issue', 'rotate', 'regenerate', 'reset', 'manage'])
/** Verbs that list names, not content. */
const LISTS = new Set(['list', 'find', 'glob', 'count', 'stat', 'ls', 'locate'])
/** Verbs that return everything. */
const WHOLE = new Set(['export', 'dump'])
const NAMES_ONLY = ['matching', 'pattern', 'metadata']
const CONTENT = ['content', 'contain', 'body', 'read', 'text']

const nothing = (confidence: number, reason: string): Result => ({
  confidentiality: 'none',
  trust: 'trusted',
  confidence,
  reason,
})

/** The result of doing `action` to the tool's objects. */
export function resultOf(reading: Reading, action: Action | undefined): Result {
  if (action === undefined) return unknown('no word in it is known')
  if (action === 'think') return nothing(reading.objects.length > 0 ? 0.45 : 0.8, 'works on what it is given')
  if (action === 'run') return of('internal', 'untrusted', 0.8, 'whatever the program prints')
  if (action === 'browse') return of('public', 'untrusted', 0.85, 'anyone writes on the web')
  if (action !== 'look' && talksBack(reading))
    return of('internal', 'untrusted', 0.7, 'somebody answers, or a page does')
  if (action !== 'look') return ofChange(reading)
  return ofLook(reading)
}

const of = (
  confidentiality: Result['confidentiality'],
  trust: Result['trust'],
  confidence: number,
  reason: string,
): Result => ({ confidentiality, trust, confidence, reason })

/** Without a known object, anyone may have written the text. */
const unknown = (reason: string): Result => of('internal', 'untrusted', 0.3, reason)

const talksBack = ({ name, verb, schema }: Reading): boolean =>
  verb?.word === 'request' ||
  schema.takesProgram !== undefined ||
  ['chat', 'ask', 'browser', 'puppeteer', 'playwright', 'editor', 'click', 'evaluate'].some((word) =>
    name.includes(word),
  )

/** A change returns nothing confidential, unless the description says that it returns the object. */
function ofChange(reading: Reading): Result {
  const [thing] = reading.objects
  // A new secret is shown once, to whom made it.
  if (thing?.kind === 'credentials' && GIVES_SECRETS.has(reading.verb?.word ?? ''))
    return of('sensitive', 'trusted', 0.6, 'a secret that it makes')
  if (!thing || !GIVES_BACK.test(reading.text)) return nothing(0.7, 'says that it was done')
  return of(
    thing.confidentiality ?? 'none',
    thing.byOthers ? 'untrusted' : 'trusted',
    0.65,
    'gives back what it changed',
  )
}

function ofLook(reading: Reading): Result {
  const { objects, named, objectsFrom, verb } = reading
  if (isTrial(reading)) return nothing(0.6, 'says whether it works')
  if (isOneself(reading)) return of('internal', 'trusted', 0.6, "the caller's own account")
  if (isOfHead(reading) && !objects.some(({ confidentiality }) => confidentiality === 'public'))
    return of('internal', 'trusted', 0.85, 'what things are sorted by')
  if (isOfPage(reading)) return of('internal', 'untrusted', 0.7, 'what a page shows')
  if (isManual(reading)) return of('public', 'untrusted', 0.7, 'what a manual says')
  const [thing] = objects
  if (!thing) return unknown('what it returns is not known')
  const place = named.find(({ kind }) => kind === PLACES)
  const about = place ?? thing
  const confidence = objectsFrom === 'name' ? 0.85 : 0.45
  const isUntrusted = isByOthers(reading)
  const trust = isUntrusted ? 'untrusted' : 'trusted'
  if (verb && WHOLE.has(verb.word) && about.confidentiality === 'internal')
    return of('sensitive', trust, confidence, `its ${objectsFrom} speaks of ${about.kind}: all of it`)
  const kind = `its ${objectsFrom} speaks of ${isUntrusted ? thing.kind : about.kind}`
  const reason = isUntrusted ? `${kind}: others may write there` : kind
  const known = about.confidentiality ?? objects.find((each) => each.kind !== SHAPES)?.confidentiality
  const result = of(known ?? 'none', trust, confidence, reason)
  // Less certain that only the operator writes there if the name mentions other things too.
  const isMixed = !isUntrusted && objects.some(({ ours, byOneself }) => !ours && !byOneself)
  if (isMixed) return { ...result, trustConfidence: 0.45 }
  // Public content may be written by anyone.
  return about.confidentiality === 'public' ? { ...result, trustConfidence: 0.65 } : result
}

const PLACES = 'places, prices, timetables'

/** Whether it returns the calling user's own data: `whoami`, `get_self`, the user of an access token. */
function isOneself({ name, text, verb }: Reading): boolean {
  if (verb?.word === 'whoami' || ['self', 'me', 'myself'].some((word) => name.includes(word))) return true
  const isOfUser = ['user', 'account', 'profile'].some((word) => name.includes(word))
  return isOfUser && OF_CALLER.test(text)
}

/** Whether it returns measured values, such as the weather at a place. */
const isComputed = ({ objects }: Reading): boolean =>
  objects.some(({ kind }) => kind === COMPUTED) &&
  objects.every(({ kind, ours }) => ours === true || kind === DESCRIBED_PLACES)

const COMPUTED = 'what is measured or computed of places and times'
const DESCRIBED_PLACES = 'places that others describe'

/** Whether others may have written the content. True unless a word shows the opposite. */
function isByOthers(reading: Reading): boolean {
  const { objects, description } = reading
  if (objects.some(({ byOneself }) => byOneself) || isComputed(reading)) return false
  if (asksStore(reading)) return true
  if (objects.some(({ kind }) => kind === 'files') && description.includes('drive')) return true
  if (objects.every(({ ours, kind }) => ours || FILE_KINDS.has(kind)) && !objects.every(({ ours }) => ours))
    return !isListing(reading)
  return objects.some(({ ours }) => !ours) && !isListing(reading)
}

/** Whether it lists what things are sorted by, and none of them: `list_issue_labels`. */
const isOfHead = ({ name, verb }: Reading): boolean =>
  verb?.from === 'name' && LISTS_ONLY.has(verb.word) && HEADS.has(headOf(name))

/** The last word before a preposition. */
const headOf = (name: readonly string[]): string => {
  const at = name.findIndex((word, i) => i > 0 && BEFORE.has(word))
  const head = (at > 0 ? name.slice(0, at) : name).findLast((word) => !LISTS_ONLY.has(word) && word !== 'all')
  return head ?? ''
}

/** Whether it asks a store for what is in it, and not how it is made. */
const asksStore = ({ verb, description, name }: Reading): boolean =>
  verb !== undefined &&
  ASKS.has(verb.word) &&
  [...name, ...description.slice(0, OPENING_MAX)].some((word) => STORES.has(word))

/** Whether it only says whether something works. */
const isTrial = ({ name, verb }: Reading): boolean =>
  (verb?.word === 'test' || verb?.word === 'ping') && TRIED.has(headOf(name))

/** Whether it returns what a page asks for or writes to its console. */
const isOfPage = ({ name }: Reading): boolean =>
  ['browser', 'page', 'tab'].some((word) => name.includes(word)) &&
  ['network', 'console', 'request'].some((word) => name.includes(word))

/** Whether it returns public documentation. */
const isManual = ({ name, description, text }: Reading): boolean =>
  ['doc', 'documentation'].includes(headOf(name)) &&
  (name.includes('documentation') || description.includes('documentation')) &&
  !OF_COMPANY.test(text)

const TRIED = new Set([
  'auth',
  'authentication',
  'connection',
  'connectivity',
  'health',
  'ping',
  'credential',
])
const LISTS_ONLY = new Set(['get', 'list', 'find', 'fetch', 'show', 'read', 'search', 'query', 'describe'])
const BEFORE = new Set(['by', 'in', 'for', 'from', 'of', 'on', 'with'])
const HEADS = readSet('tools', 'heads')
const ASKS = new Set(['aggregate', 'query', 'consume', 'scan', 'peek', 'sample'])
const STORES = readSet('tools', 'stores')
/** Words of a description that are read for a store. */
const OPENING_MAX = 12

/** Whether it returns names of files instead of their content. */
function isListing({ objects, verb, name, description }: Reading): boolean {
  if (!objects.every(({ kind }) => FILE_KINDS.has(kind))) return false
  if (NAMES_ONLY.some((word) => name.includes(word) || description.includes(word)))
    return !speaksOfContent(name)
  if (objects.some(({ kind }) => kind === SHAPES)) return true
  return LISTS.has(verb?.word ?? '') && !speaksOfContent(description)
}

const SHAPES = 'names and sizes of files, shape of a database'
const FILE_KINDS = new Set(['files', SHAPES])

const speaksOfContent = (words: readonly string[]): boolean => CONTENT.some((word) => words.includes(word))

/** Confidence of a label by its source. */
const CONFIDENCE = { name: 0.85, description: 0.45, schema: 0.3 } as const

/** Confidence if name, description and schema disagree. */
const DISPUTED = 0.4

/**
 * Claims from a tool's name, description and schema. The verb gives capability and reversibility; its object gives confidentiality and
 * trust. A description can make a tool worse than its name, never milder: the same author wrote both, and the agent calls the name.
 * Makes no claim without a known word. Linear in the length of the texts, which are cut.
 */
export function heuristicClaims(tool: ToolDefinition): Claims {
  const reading = readingOf(tool)
  const toolAction = actionOf(reading)
  const result = resultOf(reading, toolAction?.action)
  const claimOf =
    toolAction && claimer(toolAction.isDisputed ? DISPUTED : CONFIDENCE[toolAction.from], toolAction.reason)
  const ofResult = claimer(result.confidence, result.reason)
  const tags = [
    ...new Set([
      ...reading.objects.flatMap(({ tags = [] }) => tags),
      ...watchTags(reading, toolAction?.action),
    ]),
  ]
  return {
    labels: {
      ...(toolAction &&
        claimOf && {
          capability: {
            ...claimOf(labelsOf(toolAction).capability),
            ...(isAgreed(reading, toolAction) && AGREED),
          },
          reversibility: {
            ...claimOf(labelsOf(toolAction).reversibility),
            ...(isAgreed(reading, toolAction) && AGREED),
          },
        }),
      confidentiality: ofResult(result.confidentiality),
      trust: claimer(result.trustConfidence ?? result.confidence, result.reason)(result.trust),
    },
    ...(tags.length > 0 && { tags }),
  }
}

const AGREED = { isAgreed: true } as const

/** Whether name and description both say that the tool only looks. */
const isAgreed = ({ opening }: Reading, { action, from, isDisputed }: ToolAction): boolean =>
  from === 'name' && !isDisputed && action === 'look' && opening?.action === 'look'

/** Tags tools that stop logging or monitoring. The baseline of the shipped policy blocks the tag. */
function watchTags({ name }: Reading, action: Action | undefined): readonly string[] {
  const ends = action === 'destroy' || ENDS.some((word) => name.includes(word))
  return ends && RECORDS.some((word) => name.includes(word)) ? ['disables-logs'] : []
}

const ENDS = ['stop', 'disable', 'pause', 'suspend', 'mute', 'turn']
const RECORDS = ['log', 'logging', 'audit', 'trail', 'monitoring', 'telemetry', 'cloudtrail', 'auditing']

const labelsOf = ({ action }: ToolAction): (typeof ACTIONS)[Action] => ACTIONS[action]

const claimer =
  (confidence: number, reason: string) =>
  <K extends LabelName>(value: LabelValues[K]): Claim<K> => ({
    value,
    source: 'heuristics',
    confidence,
    reason,
  })

export type { Reading }

const OF_CALLER = longPattern('result.OF_CALLER')

const OF_COMPANY = longPattern('result.OF_COMPANY')
