import type { CatalogueEntry, Policy, StepPattern } from '@plimsoll/contracts'
import {
  type AllowRule,
  type Credit,
  type Creditable,
  type UpdateRule,
  type MemoryRules,
  type Pattern,
  type SpecRule,
  type ToolMemory,
  type ToolRule,
  specRule,
} from '@plimsoll/engine'
import { type Side, compilePattern, isRaisable, meansTool, namesTool } from './patterns.js'
import { type BaseRule, baseRuleOf } from './base-rule.js'
import { commandsOf } from './command-text.js'
import { type CountedUpdate, type Earning, earningsOf, updatesOf, isCounting } from './updates.js'
import { type Numbering, createExpression, layOut, numberPolicy } from './numbering.js'
import { patternOf } from './walk.js'

/** The compiled specs of a policy for one tool. */
export type ToolSpecs = Pick<
  ToolRule,
  'blocklist' | 'mustlist' | 'allowlist' | 'confirmation' | 'isNamed' | 'memory'
>

export interface CompiledSpecs {
  readonly memory: MemoryRules
  /** Matches every spec with the tool's name: cache the result. The entry says which arguments are command lines. */
  readonly of: (tool: string, entry: CatalogueEntry | undefined) => ToolSpecs
  /** Bits of the tags that the policy names. */
  readonly tagsOf: (tags: readonly string[] | undefined) => number
}

interface NumberedSpec {
  readonly base: BaseRule
  readonly earnings: readonly Earning[]
  readonly updates: readonly CountedUpdate[]
}

/** Compiles the specs of a policy. Throws `document_invalid` for a wrong expression, or where a session's record would grow too large. */
export function compileSpecs(policy: Policy): CompiledSpecs {
  const numbering = numberPolicy(policy)
  const { cells, of } = layOut(policy)
  const expressions = [...numbering.expressions.values()].map((each) => ({
    number: each.number,
    create: createExpression(each),
  }))
  let credits = 0
  const numbered = policy.specs.flatMap((spec, i): NumberedSpec[] => {
    const at = of[i]
    if (!at) return []
    const base = baseRuleOf(spec, at, numbering, policy.declassifiers ?? [])
    const earnings = earningsOf(base, credits)
    credits += earnings.length
    return [{ base, earnings, updates: updatesOf(base) }]
  })
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
    of: (tool, entry) => specsFor(tool, entry, numbered, numbering, expressions),
    tagsOf: (tags = []) => tags.reduce((bits, tag) => bits | (numbering.tagBits.get(tag) ?? 0), 0),
  }
}

function specsFor(
  tool: string,
  entry: CatalogueEntry | undefined,
  numbered: readonly NumberedSpec[],
  numbering: Numbering,
  expressions: readonly { readonly number: number; readonly create: ReturnType<typeof createExpression> }[],
): ToolSpecs {
  const matching = numbered.flatMap(({ base }) => {
    const rule = ruleFor(tool, base, numbering)
    return rule ? [{ tier: base.spec.tier, rule, spec: base.spec }] : []
  })
  const ofTier = (tier: string): SpecRule[] =>
    matching.flatMap((each) => (each.tier === tier ? [each.rule] : []))
  const blocklist = ofTier('blocklist')
  const memory = memoryFor(tool, numbered, numbering)
  const asked = new Set([...matching.flatMap(({ rule }) => askedBy(rule)), ...memory.asked])
  return {
    blocklist: [...blocklist.filter(({ flow }) => !flow), ...blocklist.filter(({ flow }) => flow)],
    mustlist: ofTier('mustlist'),
    allowlist: matching.flatMap(({ rule, spec }): AllowRule[] =>
      spec.tier === 'allowlist' ? [{ ...rule, lifts: new Set(spec.lifts) }] : [],
    ),
    confirmation: ofTier('confirmation'),
    isNamed: numbered.some(({ base: { spec } }) => namesTool(spec, tool)),
    memory: {
      ...memory.of,
      expressions: expressions
        .filter(({ number }) => asked.has(number))
        .map(({ create }) => create(commandsOf(entry))),
    },
  }
}

/** The rule of a spec for `tool`; undefined where it never matches a step of that tool. */
function ruleFor(tool: string, { spec, rule }: BaseRule, numbering: Numbering): SpecRule | undefined {
  const { followedBy, flow } = rule
  if (spec.tier === 'mustlist' && spec.followedBy && followedBy) {
    // An obligation until the end of the session blocks no step.
    if (followedBy.steps === undefined && followedBy.ms === undefined) return undefined
    const { step } = spec.followedBy
    if (!meansTool(step, tool)) return rule
    return specRule({ ...rule, followedBy: { ...followedBy, pays: compilePattern(step, 'for', numbering) } })
  }
  if (!meansTool(spec, tool)) return undefined
  const side = spec.tier === 'allowlist' ? 'lifts' : 'against'
  const own = hasOtherConditions(spec) ? compilePattern(spec, side, numbering) : undefined
  if (!flow || !('flow' in spec) || !spec.flow) return specRule({ ...rule, own })
  if (!meansTool(spec.flow.to, tool)) return undefined
  return specRule({ ...rule, own, flow: { ...flow, to: compilePattern(spec.flow.to, 'against', numbering) } })
}

/** Whether a pattern asks for more than the tool's name. */
const hasOtherConditions = (pattern: StepPattern): boolean =>
  Object.keys(patternOf(pattern)).some((member) => member !== 'tools')

function memoryFor(
  tool: string,
  numbered: readonly NumberedSpec[],
  numbering: Numbering,
): { readonly of: Pick<ToolMemory, 'updates' | 'creditables'>; readonly asked: readonly number[] } {
  const patternOf = (step: StepPattern, side: Side): Pattern => compilePattern(step, side, numbering)
  const updates = numbered.flatMap(({ updates: counted, earnings }): UpdateRule[] =>
    counted
      .filter(({ step }) => meansTool(step, tool))
      .map(({ update, step, unless, voids }) => ({
        update,
        pattern: patternOf(step, 'against'),
        isRaisable: isRaisable(step) && !isCounting(update),
        voids: earnings.flatMap(({ credit }) => (credit.kind === voids ? [credit.number] : [])),
        unless: unless && meansTool(unless, tool) ? patternOf(unless, 'for') : undefined,
      })),
  )
  const creditables = numbered.flatMap(({ earnings }): Creditable[] =>
    earnings
      .filter(({ step }) => meansTool(step, tool))
      .map(({ credit, step, unless, unlessInFlight = -1 }) => ({
        credit,
        pattern: patternOf(step, sideOf(credit)),
        unlessInFlight,
        unless: unless && meansTool(unless, tool) ? patternOf(unless, 'against') : undefined,
      })),
  )
  const patterns = [...updates, ...creditables].flatMap(({ pattern, unless }) =>
    unless ? [pattern, unless] : [pattern],
  )
  const counted = updates.flatMap(({ update: { spec } }) => [spec.sum?.of, spec.distinct?.of])
  return {
    of: { updates, creditables },
    asked: numbersOf([...patterns.map(({ where }) => where), ...counted]),
  }
}

/** The `flow` mark counts against the session. */
function sideOf({ kind }: Credit): Side {
  if (kind === 'flow') return 'against'
  return kind === 'declassifies' ? 'lifts' : 'for'
}

const askedBy = ({ own, flow, followedBy, sum, distinct }: SpecRule): number[] =>
  numbersOf([own?.where, flow?.to?.where, followedBy?.pays?.where, sum?.of, distinct?.of])

const numbersOf = (numbers: readonly (number | undefined)[]): number[] =>
  numbers.filter((number) => number !== undefined)
