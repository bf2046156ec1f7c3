import type { NormalForm } from './normal-form.js'

/** Words that say nothing of what a text is about: function words, politeness, and what tool descriptions are made of. */
const STOP_WORDS = `a about above after again all also always am an and any are as at be because been before being below between both but by can cannot
  could did do does doing done down during each either else etc even ever every few for from further get gets give given gives go goes
  going got had has have having he hello hence her here hers hi him his how however i if in instead into is it its just keep kindly let like
  ll made make makes many may me might more most much must my need needed needs neither next no nor not now of off ok on once one only or
  other our ours out over own per please put rather re really regards s same see shall she should since so some still such sure t take
  tell than thank thanks that the their theirs them then there these they thing things this those though through to too two under
  until up upon us use used user uses using ve very via want wants was way we well were what when where whether which while who whom
  whose why will with within without would yes yet you your yours
  argument arguments default dict dictionary false function input list none null object optional output parameter parameters
  return returned returns string true type value values`

/** The words by a hash: a text's words are looked up without being cut out of it. */
const HASHES: ReadonlySet<number> = new Set(
  STOP_WORDS.split(/\s+/).map((word) => hashOf(Uint8Array.from(Buffer.from(word)), word.length)),
)
/** Longest of them. */
const LENGTH_MAX = 10

export const isStopWord = ({ bytes, length }: NormalForm): boolean =>
  length <= LENGTH_MAX && HASHES.has(hashOf(bytes, length))

/** Thirty bits, which engines keep without a box. */
function hashOf(bytes: Uint8Array, length: number): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < length; i++) hash = Math.imul(hash ^ (bytes[i] ?? 0), 0x01000193)
  return (hash ^ (hash >>> 15)) & 0x3fffffff
}
