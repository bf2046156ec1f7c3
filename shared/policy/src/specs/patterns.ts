import {
  type Spec,
  type StepPattern,
  CAPABILITIES,
  CONFIDENTIALITIES,
  EFFECT_ACTS,
  OBJECT_KINDS,
  REACHES,
  REVERSIBILITIES,
  matchesTool,
} from '@plimsoll/contracts'
import type { Pattern } from '@plimsoll/engine'
import type { TextSide } from './command-text.js'
import { type Numbering, TRUTH_OF, expressionKey } from './numbering.js'

/** Whether `pattern` can match a step of `tool`. */
export const meansTool = ({ tools }: StepPattern, tool: string): boolean =>
  tools === undefined || tools.some((each) => matchesTool(each, tool))

/**
 * Whether a spec names `tool`: a named tool is not treated as unlabelled. Obligations name no tool; nor does `*`, otherwise a restriction
 * of every tool would let unknown ones through.
 */
export const namesTool = ({ tier, tools = [] }: Spec, tool: string): boolean =>
  tier !== 'mustlist' && tools.some((each) => !ANY_NAME.test(each) && matchesTool(each, tool))

const ANY_NAME = /^\*+$/

/**
 * How unknown facts count: a pattern `against` the session then matches, one `for` it does not. What `lifts` must cover all that the step
 * does, not one thing of several.
 */
export type Side = TextSide

/** `pattern` in the engine's form, without its tools. */
export function compilePattern(
  pattern: StepPattern,
  side: Side,
  { tagBits, expressions }: Numbering,
): Pattern {
  const { capability, confidentiality, trust, reversibility, tags = [], recipient, where } = pattern
  const { act, object, reach } = pattern
  const numbered = where === undefined ? undefined : truthOf(where, side, expressions)
  return {
    escalations: bitsOf(capability, CAPABILITIES),
    // Exposure 0: the step returns no confidential data.
    exposures: confidentiality ? bitsOf(confidentiality, CONFIDENTIALITIES) << 1 : ALL,
    reversibilities: bitsOf(reversibility, REVERSIBILITIES),
    trusts: bitsOf(trust, ['trusted', 'untrusted']),
    tags: tags.reduce((bits, tag) => bits | (tagBits.get(tag) ?? 0), 0),
    effect:
      act || object || reach
        ? {
            acts: bitsOf(act, EFFECT_ACTS, EVERY),
            objects: bitsOf(object, OBJECT_KINDS, EVERY),
            reaches: bitsOf(reach, REACHES, EVERY),
            isOfAll: side === 'lifts',
          }
        : undefined,
    recipient,
    where: numbered?.number,
    ifUnknown: side === 'against',
  }
}

/** Where no argument can be a text, one number serves every side. */
const truthOf = (where: string, side: Side, expressions: Numbering['expressions']) =>
  expressions.get(expressionKey(where, TRUTH_OF[side])) ?? expressions.get(expressionKey(where, 'truth'))

const ALL = 0xff
/** More bits than there are acts, objects or reaches. */
const EVERY = 0xffff

const bitsOf = (asked: readonly string[] | undefined, words: readonly string[], all = ALL): number =>
  asked ? asked.reduce((bits, word) => bits | (1 << words.indexOf(word)), 0) : all

/** Whether the pattern asks for labels of the result, which may turn out higher once the step has completed. */
export const isRaisable = ({ confidentiality, trust, tags }: StepPattern): boolean =>
  confidentiality !== undefined || trust !== undefined || tags !== undefined
