import {
  type Spec,
  type StepPattern,
  CAPABILITIES,
  CONFIDENTIALITIES,
  REVERSIBILITIES,
  matchesTool,
} from '@plimsoll/contracts'
import type { Pattern } from '@plimsoll/engine'
import { type Numbering, expressionKey } from './numbering.js'

/** Whether the tools that `pattern` names are all tools, or `tool` among them. */
export const meansTool = ({ tools }: StepPattern, tool: string): boolean =>
  tools === undefined || tools.some((each) => matchesTool(each, tool))

/**
 * Whether a spec names `tool`, so that nobody has to be asked about a stranger. Obligations name none; nor does `*`, else one more
 * restriction of all tools would let the unknown ones through.
 */
export const namesTool = ({ tier, tools = [] }: Spec, tool: string): boolean =>
  tier !== 'mustlist' && tools.some((each) => !ANY_NAME.test(each) && matchesTool(each, tool))

const ANY_NAME = /^\*+$/

/** How what is not known counts: a pattern against the session matches then, one for it does not. */
export type Side = 'against' | 'for'

/** `pattern` without its tools, as the engine has it. */
export function compilePattern(
  pattern: StepPattern,
  side: Side,
  { tagBits, expressions }: Numbering,
): Pattern {
  const { capability, confidentiality, trust, reversibility, tags = [], recipient, where } = pattern
  const numbered = where === undefined ? undefined : expressions.get(expressionKey(where, 'truth'))
  return {
    escalations: bitsOf(capability, CAPABILITIES),
    // Exposure 0 is that of steps which return nothing of note.
    exposures: confidentiality ? bitsOf(confidentiality, CONFIDENTIALITIES) << 1 : ALL,
    reversibilities: bitsOf(reversibility, REVERSIBILITIES),
    trusts: bitsOf(trust, ['trusted', 'untrusted']),
    tags: tags.reduce((bits, tag) => bits | (tagBits.get(tag) ?? 0), 0),
    recipient,
    where: numbered?.number,
    ifUnknown: side === 'against',
  }
}

const ALL = 0xff

const bitsOf = (asked: readonly string[] | undefined, words: readonly string[]): number =>
  asked ? asked.reduce((bits, word) => bits | (1 << words.indexOf(word)), 0) : ALL

/** Whether labels of what a step returns decide: they may turn out higher once it has. */
export const isRaisable = ({ confidentiality, trust, tags }: StepPattern): boolean =>
  confidentiality !== undefined || trust !== undefined || tags !== undefined
