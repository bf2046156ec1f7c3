import type { Policy, Spec } from '@plimsoll/contracts'
import type { NaiveHappening } from './naive/naive-history.js'
import { naiveAnswer, type NaiveQuestion } from './naive/naive-policy.js'
import type { Interpreter } from './play.js'

/** Wrong interpreters: they read a changed policy, history or question. */
const reading =
  (spoil: (spec: Spec) => Spec): Interpreter =>
  ({ policy, catalogue }, ...rest) =>
    naiveAnswer({ policy: { ...policy, specs: policy.specs.map(spoil) }, catalogue }, ...rest)

const without =
  (part: keyof Policy): Interpreter =>
  ({ policy, catalogue }, ...rest) =>
    naiveAnswer({ policy: { ...policy, [part]: [] }, catalogue }, ...rest)

const hearing =
  (
    spoil: (happening: NaiveHappening, i: number, all: readonly NaiveHappening[]) => NaiveHappening[],
  ): Interpreter =>
  (documents, happenings, question) =>
    naiveAnswer(documents, happenings.flatMap(spoil), question)

const asking =
  (spoil: (question: NaiveQuestion) => NaiveQuestion): Interpreter =>
  (documents, happenings, question) =>
    naiveAnswer(documents, happenings, spoil(question))

/** `value` with every `member` replaced at any depth. */
function replaced(value: unknown, member: string, by: (old: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => replaced(each, member, by))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([name, old]) => [
    name,
    name === member ? by(old) : replaced(old, member, by),
  ])
  return Object.fromEntries(entries.filter(([, each]) => each !== undefined))
}

const each =
  (member: string, by: (old: unknown) => unknown) =>
  (spec: Spec): Spec =>
    replaced(spec, member, by) as Spec

const more = (old: unknown): unknown => (typeof old === 'number' ? old + 1 : old)
const nothing = (): undefined => undefined

/** Changes the window of one condition only, so that each must be read. */
const wider = (condition: string, unit: string): Interpreter =>
  reading(each(condition, (old) => replaced(old, unit, more)))

export const WRONG: readonly (readonly [name: string, interpreter: Interpreter])[] = [
  ...['after', 'before', 'flow', 'requires', 'followedBy', 'atMost', 'sum', 'distinct'].flatMap((condition) =>
    ['steps', 'seconds'].map(
      (unit) => [`${condition} sees ${unit} too far`, wider(condition, unit)] as const,
    ),
  ),
  ['one time more is let be', reading(each('times', more))],
  ['a little more is let be', reading(each('sum', (old) => replaced(old, 'max', more)))],
  ['one value more is let be', reading(each('distinct', (old) => replaced(old, 'max', more)))],
  ['one session more is let be', reading(each('sessions', more))],
  ...[
    'after',
    'before',
    'between',
    'atMost',
    'sum',
    'distinct',
    'fleet',
    'flow',
    'requires',
    'followedBy',
  ].map((condition) => [`no ${condition}`, reading(each(condition, nothing))] as const),
  ['nothing is declassified', without('declassifiers')],
  ['values never tell', reading(each('by', () => 'labels'))],
  ['values always tell', reading(each('flow', (old) => ({ ...(old as object), by: 'values' })))],
  ['recipients do not matter', reading(each('recipient', nothing))],
  ['acts do not matter', reading(each('act', nothing))],
  ['objects do not matter', reading(each('object', nothing))],
  ['reaches do not matter', reading(each('reach', nothing))],
  [
    'the first command lifts all',
    reading((spec) =>
      spec.tier === 'allowlist' && spec.where?.includes('command') ? { ...spec, where: undefined } : spec,
    ),
  ],
  ['arguments do not matter', reading(each('where', nothing))],
  ['tags do not matter', reading(each('tags', nothing))],
  ['every exit declassifies', reading(each('exit', () => 'allow'))],
  ['no exit opens', reading(each('followedBy', (old) => ({ ...(old as object), exit: 'block' })))],
  ['blocked proposals never count', reading(each('counts', nothing))],
  ['a failure is a success', hearing((it) => [it.kind === 'completed' ? { ...it, isOk: true } : it])],
  ['all comes back at once', hearing((it) => [it, ...(it.kind === 'ran' ? [backOf(it)] : [])])],
  [
    'what is blocked ran',
    hearing((it) => [it.kind === 'blocked' ? { ...it, kind: 'ran', anyway: false } : it]),
  ],
  ['results raise nothing', hearing((it) => [it.kind === 'completed' ? { ...it, claimed: undefined } : it])],
  ['what ran unjudged did not run', hearing((it) => (it.kind === 'ran' && it.anyway ? [] : [it]))],
  ['in observe mode nothing is blocked', hearing((it) => (it.kind === 'objected' ? [] : [it]))],
  ['what is inherited does not matter', hearing((it) => (it.kind === 'inherited' ? [] : [it]))],
  ['nobody grants anything', hearing((it) => (it.kind === 'granted' ? [] : [it]))],
  ['judges are not heard', hearing((it) => (it.kind === 'refined' ? [] : [it]))],
  [
    'judges change what comes alone',
    hearing((it) => [it.kind === 'refined' ? { ...it, hasRun: false } : it]),
  ],
  ['judges only raise', hearing((it) => [it.kind === 'refined' ? { ...it, replaces: false } : it])],
  [
    'to have to wait is to be refused',
    hearing((it) => [it.kind === 'blocked' ? { ...it, isWaiting: false } : it]),
  ],
  [
    'everything is dated by the event before',
    hearing((it, i, all) => [{ ...it, time: all[i - 1]?.time ?? it.time }]),
  ],
  [
    'what is claimed does not matter',
    asking(({ step, ...rest }) => ({ ...rest, step: { ...step, claimed: {} } })),
  ],
  ['a question is asked too early', asking((question) => ({ ...question, time: question.time - 1 }))],
]

const backOf = ({ step, time }: Extract<NaiveHappening, { kind: 'ran' }>): NaiveHappening => ({
  kind: 'completed',
  callId: step.callId,
  isOk: true,
  time,
})
