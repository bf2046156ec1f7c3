import type { LabelValues } from '../claim.js'
import type { Action } from './actions.js'
import type { Reading } from './reading.js'

/** What a tool returns. */
export interface Result {
  readonly confidentiality: LabelValues['confidentiality']
  readonly trust: LabelValues['trust']
  readonly confidence: number
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
  if (action === 'think') return nothing(0.8, 'works on what it is given')
  if (action === 'run') return of('internal', 'untrusted', 0.8, 'whatever the program prints')
  if (action === 'browse') return of('public', 'untrusted', 0.85, 'anyone writes on the web')
  if (talksBack(reading)) return of('internal', 'untrusted', 0.7, 'somebody answers, or a page does')
  if (action !== 'look') return ofChange(reading)
  return ofLook(reading)
}

const of = (
  confidentiality: Result['confidentiality'],
  trust: Result['trust'],
  confidence: number,
  reason: string,
): Result => ({ confidentiality, trust, confidence, reason })

const unknown = (reason: string): Result => of('internal', 'untrusted', 0.3, reason)

const talksBack = ({ name, verb }: Reading): boolean =>
  verb?.word === 'request' ||
  ['chat', 'ask', 'browser', 'editor', 'click'].some((word) => name.includes(word))

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
  const [thing] = objects
  if (!thing) return unknown('what it returns is not known')
  const place = named.find(({ kind }) => kind === 'places, prices, timetables')
  const about = place ?? thing
  const confidence = objectsFrom === 'name' ? 0.85 : 0.6
  const isUntrusted = isByOthers(reading)
  if (verb && WHOLE.has(verb.word) && about.confidentiality === 'internal')
    return of('sensitive', isUntrusted ? 'untrusted' : 'trusted', confidence, `${about.kind}: all of it`)
  const reason = isUntrusted ? `${thing.kind}: others write there` : about.kind
  return of(about.confidentiality ?? 'none', isUntrusted ? 'untrusted' : 'trusted', confidence, reason)
}

function isByOthers(reading: Reading): boolean {
  const { objects, description } = reading
  if (objects.some(({ byOneself }) => byOneself)) return false
  if (objects.some(({ kind }) => kind === 'files') && description.includes('drive')) return true
  return objects.some(({ byOthers }) => byOthers) && !isListing(reading)
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
