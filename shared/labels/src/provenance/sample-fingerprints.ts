import type { Segments } from './of-result.js'
import type { Fingerprint } from '@plimsoll/contracts'
import { createTokenScanner } from '../text/tokens.js'
import { argumentText } from './argument-text.js'
import { keyOfRoot } from './fingerprint-key.js'
import { createFingerprinter, type Fingerprinter } from './fingerprinter.js'

/** Test helpers: fingerprints under one key, and comparison of two lists. */
export const sampleFingerprinter: Fingerprinter = createFingerprinter(
  keyOfRoot('a key for tests', 'session-1'),
)

const scan = createTokenScanner()

export function resultOf(text: string, segments: Segments = []): Fingerprint[] {
  return sampleFingerprinter.result(text, scan(text), segments).fingerprints
}

/** Of a result that may be sensitive: how many, and whether the list lacks some. */
export function sensitiveResultOf(text: string): { count: number; isPartial: boolean } {
  const { fingerprints, partial } = sampleFingerprinter.result(text, scan(text), [], true)
  return { count: fingerprints.length, isPartial: partial }
}

export function instructedOf(text: string): Fingerprint[] {
  return sampleFingerprinter.result(text, scan(text), [[0, text.length]]).instructed
}

export const taskOf = (text: string): Fingerprint[] => sampleFingerprinter.task(text, scan(text))

export const addressedOf = (values: unknown): Fingerprint[] =>
  sampleFingerprinter.addressed(argumentText(values))

export function proposalOf(
  values: unknown,
  tool = 'send',
  fingerprinter = sampleFingerprinter,
): Fingerprint[] {
  const given = argumentText(values)
  return fingerprinter.proposal({ tool, description: undefined, given, tokens: scan(given.text) })
}

/** The fingerprints of `list` that `source` contains, of any kind. */
export function matched(list: readonly Fingerprint[], source: readonly Fingerprint[]): Fingerprint[] {
  const known = new Set(source.map((each) => each.slice(1)))
  return list.filter((each) => known.has(each.slice(1)))
}

/** Whether the arguments share a value, other than words of running text, with the result. */
export function finds(text: string, values: unknown): boolean {
  return matched(proposalOf(values), resultOf(text)).length > 0
}
