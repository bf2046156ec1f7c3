import type { Handover, Inherits } from '@plimsoll/contracts'
import { raiseConfidentiality, raiseTaint } from './claims.js'
import { mostOf, readable } from './handover.js'
import { createKnownValues } from './known-values.js'

type Fingerprints = NonNullable<Inherits['fingerprints']>

/**
 * What both say, as one: under the root of the first, the only key that what starts can have. Of the other, fingerprints under another
 * key are what they say of the session, for nothing would match them.
 */
export function joinedHandover(
  first: Handover | undefined,
  other: Handover | undefined,
): Handover | undefined {
  if (!first || !other) return first ?? other
  const { inherits } = first
  const also = readable(other, first.key)
  const { fingerprints, isCut } = joined(inherits.fingerprints, also.fingerprints)
  return {
    ...first,
    inherits: {
      taint: raiseTaint(inherits.taint, also.taint),
      confidentiality: raiseConfidentiality(inherits.confidentiality, also.confidentiality),
      unseen: inherits.unseen === true || also.unseen === true || isCut,
      held: inherits.held === true || also.held === true,
      codeWritten: inherits.codeWritten === true || also.codeWritten === true,
      ...(fingerprints && { fingerprints }),
    },
    signals: mostOf(first.signals, other.signals),
  }
}

function joined(
  a: Fingerprints | undefined,
  b: Fingerprints | undefined,
): { readonly fingerprints: Fingerprints | undefined; readonly isCut: boolean } {
  if (!a || !b) return { fingerprints: a ?? b, isCut: false }
  const sensitive = listOf(a.sensitive, b.sensitive)
  const fingerprints = {
    untrusted: listOf(a.untrusted, b.untrusted).list(),
    instructed: listOf(a.instructed, b.instructed).list(),
    sensitive: sensitive.list(),
  }
  return { fingerprints, isCut: sensitive.isCut() }
}

function listOf(...lists: readonly (readonly string[] | undefined)[]) {
  const values = createKnownValues()
  for (const list of lists) values.add(list)
  return values
}
