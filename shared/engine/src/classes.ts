import { exposureIndex, SENSITIVE_EXPOSURE, type StepLabels } from './safety-state.js'
import type { ClaimedLabels } from '@plimsoll/contracts'

/** What is known of where a fingerprint was seen, as bits. A result is trusted or untrusted, and may be sensitive or instructed too. */
export const TASK = 1
export const TRUSTED = 2
export const UNTRUSTED = 4
/** In a part of an untrusted text that reads like instructions. */
export const INSTRUCTED = 8
/** In data of confidentiality `sensitive` or more. */
export const SENSITIVE = 16
export const CLASSES = 32

/** The class of what a step with `labels` returns. A tool that nobody labelled is no source to be trusted. */
export function classOf(labels: StepLabels, labelled: boolean): number {
  const trust = labels.untrusted || !labelled ? UNTRUSTED : TRUSTED
  return labels.exposure >= SENSITIVE_EXPOSURE ? trust | SENSITIVE : trust
}

/** `known` with what the client saw of the result: a claim makes it less trusted and more sensitive, never the other way. */
export function claimedClass(known: number, claimed: ClaimedLabels | undefined, isTainted: boolean): number {
  const isUntrusted = isTainted || claimed?.trust === 'untrusted'
  const trust = isUntrusted ? (known & ~TRUSTED) | UNTRUSTED : known
  return exposureIndex(claimed?.confidentiality) >= SENSITIVE_EXPOSURE ? trust | SENSITIVE : trust
}
