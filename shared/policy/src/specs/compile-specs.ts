import { type Policy, type StepPattern, PATTERN_MEMBERS } from '@plimsoll/contracts'
import {
  type AllowRule,
  type Creditable,
  type Expression,
  type EffectRule,
  type MemoryRules,
  type Pattern,
  type SpecRule,
  type ToolMemory,
  type ToolRule,
  specRule,
} from '@plimsoll/engine'
import { type Side, compilePattern, isRaisable, meansTool, namesTool } from './patterns.js'
import { type BaseRule, type CountedEffect, baseRuleOf, isCounting, effectsOf } from './base-rule.js'
import { type Earning, earningsOf } from './credits.js'
import { layOut } from './layout.js'
import { type Numbering, createExpression, numberPolicy } from './numbering.js'

/** What the specs of a policy say of one tool. */
export type ToolSpecs = Pick<
  ToolRule,
  'blocklist' | 'mustlist' | 'allowlist' | 'confirmation' | 'isNamed' | 'memory'
>

export interface CompiledSpecs {
  readonly memory: MemoryRules
  /** Matches every spec with the tool's name: to be kept. */
  readonly of: (tool: string) => ToolSpecs
  /** Bits of those tags of a tool that the policy names. */
  readonly tagsOf: (tags: readonly string[] | undefined) => number
}

interface NumberedSpec {
  readonly base: BaseRule
  readonly earnings: readonly Earning[]
  readonly effects: readonly CountedEffect[]
}

/** Compiles specs. Throws `document_invalid` for expressions that are none, and where more is to be remembered than a record holds. */
export function compileSpecs(policy: Policy): CompiledSpecs {
  const numbering = numberPolicy(policy)
  const { cells, of } = layOut(policy)
  const expressions = [...numbering.expressions.values()].map(createExpression)
  const numbered: NumberedSpec[] = []
  let credits = 0
  for (const [i, spec] of policy.specs.entries()) {
    const at = of[i]
    if (!at) continue
    const base = baseRuleOf(spec, at, numbering, policy.declassifiers ?? [])
    const earnings = earningsOf(base, credits)
    credits += earnings.length
    numbered.push({ base, earnings, effects: effectsOf(base) })
  }
  const rules = numbered.map(({ base }) => base.rule)
  return {
    memory: Object.freeze({
      cells,
      credits: numbered.flatMap(({ earnings }) => earnings.map(({ credit }) => credit)),
      flows: rules.filter(({ flow }) => flow !== undefined),
      obligations: rules.filter(({ followedBy }) => followedBy !== undefined),
      fleets: rules.filter(({ fleet }) => fleet !== undefined),
      tagBits: numbering.tagBits,
    }),
    of: (tool) => specsFor(tool, numbered, numbering, expressions),
    tagsOf: (tags = []) => tags.reduce((bits, tag) => bits | (numbering.tagBits.get(tag) ?? 0), 0),
  }
}

function specsFor(
  tool: string,
  numbered: readonly NumberedSpec[],
  numbering: Numbering,
  expressions: readonly Expression[],
): ToolSpecs {
  const speaking = numbered.flatMap(({ base }) => {
    const rule = ruleFor(tool, base, numbering)
    return rule ? [{ tier: base.spec.tier, rule, spec: base.spec }] : []
  })
  const ofTier = (tier: string): SpecRule[] =>
    speaking.flatMap((each) => (each.tier === tier ? [each.rule] : []))
  const blocklist = ofTier('blocklist')
  const memory = memoryFor(tool, numbered, numbering)
  const asked = new Set([...speaking.flatMap(({ rule }) => askedBy(rule)), ...memory.asked])
  return {
    blocklist: [...blocklist.filter(({ flow }) => !flow), ...blocklist.filter(({ flow }) => flow)],
    mustlist: ofTier('mustlist'),
    allowlist: speaking.flatMap(({ rule, spec }): AllowRule[] =>
      spec.tier === 'allowlist' ? [{ ...rule, lifts: new Set(spec.lifts) }] : [],
    ),
    confirmation: ofTier('confirmation'),
    isNamed: numbered.some(({ base: { spec } }) => namesTool(spec, tool)),
    memory: { ...memory.of, expressions: expressions.filter(({ number }) => asked.has(number)) },
  }
}

/** A spec as it speaks on `tool`; undefined where it never does. */
function ruleFor(tool: string, { spec, rule }: BaseRule, numbering: Numbering): SpecRule | undefined {
  const { followedBy, flow } = rule
  if (spec.tier === 'mustlist' && spec.followedBy && followedBy) {
    // What is owed until the session ends refuses nothing.
    if (followedBy.steps === undefined && followedBy.ms === undefined) return undefined
    const { step } = spec.followedBy
    if (!meansTool(step, tool)) return rule
    return specRule({ ...rule, followedBy: { ...followedBy, pays: compilePattern(step, 'for', numbering) } })
  }
  if (!meansTool(spec, tool)) return undefined
  const side = spec.tier === 'allowlist' ? 'for' : 'against'
  const own = hasOtherConditions(spec) ? compilePattern(spec, side, numbering) : undefined
  if (!flow || !('flow' in spec) || !spec.flow) return specRule({ ...rule, own })
  if (!meansTool(spec.flow.to, tool)) return undefined
  return specRule({ ...rule, own, flow: { ...flow, to: compilePattern(spec.flow.to, 'against', numbering) } })
}

const hasOtherConditions = (pattern: StepPattern): boolean =>
  PATTERN_MEMBERS.some((member) => member !== 'tools' && pattern[member] !== undefined)

function memoryFor(
  tool: string,
  numbered: readonly NumberedSpec[],
  numbering: Numbering,
): { readonly of: Pick<ToolMemory, 'effects' | 'creditables'>; readonly asked: readonly number[] } {
  const patternOf = (step: StepPattern, side: Side): Pattern => compilePattern(step, side, numbering)
  const effects = numbered.flatMap(({ effects: markings, earnings }): EffectRule[] =>
    markings
      .filter(({ step }) => meansTool(step, tool))
      .map(({ effect, step, unless, voids }) => ({
        effect,
        pattern: patternOf(step, 'against'),
        isRaisable: isRaisable(step) && !isCounting(effect),
        voids: earnings.flatMap(({ credit }) => (credit.kind === voids ? [credit.number] : [])),
        unless: unless && meansTool(unless, tool) ? patternOf(unless, 'for') : undefined,
      })),
  )
  const creditables = numbered.flatMap(({ earnings }): Creditable[] =>
    earnings
      .filter(({ step }) => meansTool(step, tool))
      .map(({ credit, step, unless, unlessInFlight = -1 }) => ({
        credit,
        // What is only still to come counts against the session.
        pattern: patternOf(step, credit.kind === 'flow' ? 'against' : 'for'),
        unlessInFlight,
        unless: unless && meansTool(unless, tool) ? patternOf(unless, 'against') : undefined,
      })),
  )
  const patterns = [...effects, ...creditables].flatMap(({ pattern, unless }) =>
    unless ? [pattern, unless] : [pattern],
  )
  const counted = effects.flatMap(({ effect: { spec } }) => [spec.sum?.of, spec.distinct?.of])
  return {
    of: { effects, creditables },
    asked: numbersOf([...patterns.map(({ where }) => where), ...counted]),
  }
}

const askedBy = ({ own, flow, followedBy, sum, distinct }: SpecRule): number[] =>
  numbersOf([own?.where, flow?.to?.where, followedBy?.pays?.where, sum?.of, distinct?.of])

const numbersOf = (numbers: readonly (number | undefined)[]): number[] =>
  numbers.filter((number) => number !== undefined)
