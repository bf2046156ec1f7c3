import type { Claim, Claims, LabelName, LabelValues, ToolDefinition } from '../claim.js'
import { type Action, ACTIONS } from './actions.js'
import { type Reading, readingOf } from './reading.js'
import { type ToolAction, actionOf } from './tool-action.js'

/** What a tool returns. */
export interface Result {
  readonly confidentiality: LabelValues['confidentiality']
  readonly trust: LabelValues['trust']
  readonly confidence: number
  /** How sure the trust is, where that is less. */
  readonly trustConfidence?: number
  readonly reason: string
}

/** Words of a description that say that the thing itself comes back, not only that it was done. */
const GIVES_BACK = /\breturns?\b[^.]{0,60}\b(?:diff|contents?|deleted|removed|previous|whole)\b/i
/** Verbs that list names rather than show what stands in them. */
const LISTS = new Set(['list', 'find', 'glob', 'count', 'stat', 'ls', 'locate'])
/** Verbs that take all there is. */
const WHOLE = new Set(['export', 'dump'])
const NAMES_ONLY = ['matching', 'pattern', 'metadata']
const CONTENT = ['content', 'contain', 'body', 'read', 'text']

const nothing = (confidence: number, reason: string): Result => ({
  confidentiality: 'none',
  trust: 'trusted',
  confidence,
  reason,
})

/** What comes back from doing `action` to what the tool is about. */
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

/** What nobody knows may be anybody's text. */
const unknown = (reason: string): Result => of('internal', 'untrusted', 0.3, reason)

const talksBack = ({ name, verb, schema }: Reading): boolean =>
  verb?.word === 'request' ||
  schema.takesProgram !== undefined ||
  ['chat', 'ask', 'browser', 'puppeteer', 'playwright', 'editor', 'click', 'evaluate'].some((word) =>
    name.includes(word),
  )

/** A change returns nothing of note, unless the description says that it gives the thing back. */
function ofChange(reading: Reading): Result {
  const [thing] = reading.objects
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
  if (isOneself(reading)) return of('internal', 'trusted', 0.6, "the caller's own account")
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
  const result = of(about.confidentiality ?? 'none', trust, confidence, reason)
  // That nobody else writes there is taken from a word alone where something else is named, too.
  const isMixed = !isUntrusted && objects.some(({ ours, byOneself }) => !ours && !byOneself)
  if (isMixed) return { ...result, trustConfidence: 0.45 }
  // Anyone who publishes it may write what they like into it.
  return about.confidentiality === 'public' ? { ...result, trustConfidence: 0.65 } : result
}

const PLACES = 'places, prices, timetables'

/** Who calls, and nobody else: `whoami`, `get_self`, the user that an access token belongs to. */
function isOneself({ name, text, verb }: Reading): boolean {
  if (verb?.word === 'whoami' || ['self', 'me', 'myself'].some((word) => name.includes(word))) return true
  const isOfUser = ['user', 'account', 'profile'].some((word) => name.includes(word))
  return isOfUser && /\b(?:current|authenticated|logged.in)\b[^.]{0,40}\b(?:user|token|account)\b/i.test(text)
}

/** A figure of a place is no text about it. */
const isComputed = ({ objects }: Reading): boolean =>
  objects.some(({ kind }) => kind === COMPUTED) &&
  objects.every(({ kind, ours }) => ours === true || kind === DESCRIBED_PLACES)

const COMPUTED = 'what is measured or computed of places and times'
const DESCRIBED_PLACES = 'places that others describe'

/** Others may have written it, unless it is known that they have not. */
function isByOthers(reading: Reading): boolean {
  const { objects, description } = reading
  if (objects.some(({ byOneself }) => byOneself) || isComputed(reading)) return false
  if (objects.some(({ kind }) => kind === 'files') && description.includes('drive')) return true
  if (objects.every(({ ours, kind }) => ours || FILE_KINDS.has(kind)) && !objects.every(({ ours }) => ours))
    return !isListing(reading)
  return objects.some(({ ours }) => !ours) && !isListing(reading)
}

/** Names of files, not what stands in them. */
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

/** How sure a label is by where it was read. */
const CONFIDENCE = { name: 0.85, description: 0.45, schema: 0.3 } as const

/** Of what name, description and schema do not say alike. */
const DISPUTED = 0.4

/**
 * What a tool's name, description and schema say of it: the verb tells what it does and whether that can be undone, its object what
 * comes back and who wrote it. A description can make a tool worse than its name, never milder: anyone who wrote the one wrote the other,
 * and only the name is what the agent calls. Silent on what it has no word for. Linear in the length of the texts, which are cut.
 */
export function heuristicClaims(tool: ToolDefinition): Claims {
  const reading = readingOf(tool)
  const deed = actionOf(reading)
  const result = resultOf(reading, deed?.action)
  const ofDeed = deed && claimer(deed.isDisputed ? DISPUTED : CONFIDENCE[deed.from], deed.reason)
  const ofResult = claimer(result.confidence, result.reason)
  const tags = [
    ...new Set([...reading.objects.flatMap(({ tags = [] }) => tags), ...watchTags(reading, deed?.action)]),
  ]
  return {
    labels: {
      ...(deed &&
        ofDeed && {
          capability: { ...ofDeed(labelsOf(deed).capability), ...(isAgreed(reading, deed) && AGREED) },
          reversibility: { ...ofDeed(labelsOf(deed).reversibility), ...(isAgreed(reading, deed) && AGREED) },
        }),
      confidentiality: ofResult(result.confidentiality),
      trust: claimer(result.trustConfidence ?? result.confidence, result.reason)(result.trust),
    },
    ...(tags.length > 0 && { tags }),
  }
}

const AGREED = { isAgreed: true } as const

/** Whether name and description both say that it only looks. */
const isAgreed = ({ opening }: Reading, { action, from, isDisputed }: ToolAction): boolean =>
  from === 'name' && !isDisputed && action === 'look' && opening?.action === 'look'

/** Tools that end what records or watches: the baseline of the shipped policy blocks what carries this tag. */
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
