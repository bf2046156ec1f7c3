/**
 * How much work a function does, as a number that is the same on every machine and under every load: how often V8 entered each block of
 * code, and what the built-in functions did that no block shows: the steps of a backtracking matcher for each regular expression, and the
 * characters or elements that a string or list function had to look at.
 *
 * @example
 * const [few, many] = [stepsOf(() => read(text)), stepsOf(() => read(text.repeat(4)))]
 * assert.ok(many <= 5 * few)
 */
import { Hash, Hmac } from 'node:crypto'
import { Session } from 'node:inspector'
import { type ExpressionCall, stepsOfCalls } from './regexp-calls.js'

/** More than any reader needs; an expression that backtracks without end stops here. */
const STEPS_MAX = 20_000_000

/** Steps within `work`. */
export function stepsOf(work: () => unknown): number {
  const count = createCount()
  const restore = replaceBuiltIns(count)
  let blocks = 0
  try {
    takeBlocks()
    work()
    blocks = takeBlocks()
  } finally {
    restore()
  }
  return blocks + count.steps()
}

/** What counts is not the work. */
const OWN = new Set(['steps.js', 'regexp-calls.js'].map((name) => new URL(name, import.meta.url).href))

const inspector = new Session()
inspector.connect()
inspector.post('Profiler.enable')
inspector.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })

/** The blocks that were entered since the last time. */
function takeBlocks(): number {
  let blocks = 0
  inspector.post('Profiler.takePreciseCoverage', (error, taken) => {
    if (error) throw error
    for (const { url, functions } of taken.result)
      if (!OWN.has(url)) for (const { ranges } of functions) for (const { count } of ranges) blocks += count
  })
  return blocks
}

/** What a call costs beside its own blocks. */
type Cost = (receiver: unknown, args: readonly unknown[], result: unknown) => number

const lengthOf = (value: unknown): number =>
  typeof value === 'string' || ArrayBuffer.isView(value) || Array.isArray(value)
    ? ((value as { readonly length?: number }).length ?? 0)
    : 0
const whole: Cost = (receiver) => lengthOf(receiver)
const argument: Cost = (_, [first]) => lengthOf(first)
const made: Cost = (_, __, result) => lengthOf(result)
const both: Cost = (receiver, _, result) => lengthOf(receiver) + lengthOf(result)
/** To where it was found, or to the end. */
const searched: Cost = (receiver, [, from = 0], result) => {
  const end = typeof result === 'number' && result >= 0 ? result : lengthOf(receiver)
  return Math.max(0, end - Number(from))
}
const searchedBack: Cost = (receiver, [, from], result) => {
  const end = from === undefined ? lengthOf(receiver) : Number(from)
  return Math.max(0, typeof result === 'number' && result >= 0 ? end - result : end)
}

const STRING = { indexOf: searched, includes: whole, lastIndexOf: searchedBack, toLowerCase: whole, toUpperCase: whole,
  normalize: whole, trim: whole, trimStart: whole, trimEnd: whole, repeat: made, padStart: made, padEnd: made, localeCompare: whole,
  replace: both, replaceAll: both, split: whole } // prettier-ignore
const LIST = { indexOf: searched, includes: whole, lastIndexOf: searchedBack, join: both, concat: made, slice: made, splice: whole,
  shift: whole, unshift: whole, reverse: whole, sort: whole, toSorted: whole, toReversed: whole, toSpliced: whole, with: whole,
  fill: whole, copyWithin: whole, flat: made, map: whole, filter: whole, some: whole, every: whole, find: whole } // prettier-ignore
const NUMBERS = { indexOf: searched, includes: whole, slice: made, set: argument, fill: whole, sort: whole, join: both } // prettier-ignore

const BUILT_INS: readonly (readonly [object, Readonly<Record<string, Cost>>])[] = [
  [String.prototype, STRING],
  [Array.prototype, LIST],
  [Object.getPrototypeOf(Uint8Array.prototype) as object, NUMBERS],
  [Array, { from: made }],
  [Object, { keys: made, values: made, entries: made, fromEntries: argument }],
  [JSON, { stringify: made, parse: argument }],
  [Buffer, { from: argument, concat: made, byteLength: argument }],
  [Buffer.prototype, { toString: made }],
  [TextEncoder.prototype, { encode: argument }],
  [TextDecoder.prototype, { decode: argument }],
  [Hash.prototype, { update: argument }],
  [Hmac.prototype, { update: argument }],
]

interface Count {
  readonly add: (steps: number) => void
  readonly addCall: (expression: RegExp, text: string, from: number, found: RegExpExecArray | null) => void
  readonly steps: () => number
}

function createCount(): Count {
  let steps = 0
  const expressions = new Map<string, readonly [index: number, expression: RegExp]>()
  const texts = new Map<string, number>()
  const calls: ExpressionCall[] = []
  return {
    add: (more) => {
      steps += more
    },
    addCall: (expression, text, from, found) => {
      const key = `/${expression.source}/${expression.flags}`
      const [index] = expressions.get(key) ?? [expressions.size]
      if (index === expressions.size) expressions.set(key, [index, expression])
      const place = texts.get(text) ?? texts.size
      if (place === texts.size) texts.set(text, place)
      const end = found === null ? -1 : found.index + found[0].length
      calls.push({ expression: index, text: place, from, found: [found?.index ?? -1, end] })
    },
    steps: () =>
      steps +
      stepsOfCalls({
        expressions: Array.from(expressions.values(), ([, expression]) => expression),
        texts: [...texts.keys()],
        calls,
        stepsMax: STEPS_MAX,
      }),
  }
}

/** Has the built-in functions count; the returned function puts them back. */
function replaceBuiltIns(count: Count): () => void {
  const before: (() => void)[] = []
  let isCounting = false
  const replace = (
    owner: object,
    name: string,
    note: (receiver: unknown, args: readonly unknown[], call: () => unknown) => unknown,
  ): void => {
    const property = Object.getOwnPropertyDescriptor(owner, name)
    if (property === undefined) return
    before.push(() => Object.defineProperty(owner, name, property))
    const original = property.value as (...args: unknown[]) => unknown
    const value = function counted(this: unknown, ...args: unknown[]): unknown {
      if (isCounting) return Reflect.apply(original, this, args)
      return note(this, args, () => Reflect.apply(original, this, args))
    }
    Object.defineProperty(owner, name, { ...property, value })
  }
  const whileCounting = (work: () => void): void => {
    isCounting = true
    work()
    isCounting = false
  }
  for (const [owner, costs] of BUILT_INS)
    for (const [name, cost] of Object.entries(costs))
      replace(owner, name, (receiver, args, call) => {
        const result = call()
        whileCounting(() => count.add(cost(receiver, args, result)))
        return result
      })
  // Every function that takes an expression calls it.
  replace(RegExp.prototype, 'exec', (receiver, [text], call) => {
    const expression = receiver as RegExp
    const from = expression.global || expression.sticky ? expression.lastIndex : 0
    const found = call() as RegExpExecArray | null
    whileCounting(() => count.addCall(expression, String(text), from, found))
    return found
  })
  return () => {
    for (const each of before) each()
  }
}
