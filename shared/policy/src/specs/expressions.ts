import { Environment } from '@marcbachmann/cel-js'
import { PlimsollError } from '@plimsoll/contracts'
import { ARGS, ExpressionRefused, readTree } from './expression-tree.js'

/** Most values of an argument that an expression reads: members and elements at any depth. A larger argument counts as unknown. */
const VALUES_MAX = 256
/** The same where one list is walked within another: the time is quadratic. */
const NESTED_VALUES_MAX = 48

/** Most characters of text in an argument that an expression reads; fewer where it splits text, since each part is a value. */
const TEXT_MAX = 16_384
const SPLIT_TEXT_MAX = 4096

const DEPTH_MAX = 16

/** Whether an argument is small enough to be read in bounded time. Visits at most `valuesMax` values itself. */
function isSmall(argument: unknown, textMax: number, valuesMax: number): boolean {
  let [text, values] = [textMax, valuesMax]
  const fits = (value: unknown, depth: number): boolean => {
    if (typeof value === 'string') return (text -= value.length) >= 0
    if (typeof value !== 'object' || value === null) return true
    if (depth === 0) return false
    for (const key in value) {
      if (--values < 0) return false
      if (!Array.isArray(value) && (text -= key.length) < 0) return false
      if (!fits(Reflect.get(value, key), depth - 1)) return false
    }
    return true
  }
  return fits(argument, DEPTH_MAX)
}

/** The type of an expression's result; `any`: it depends on the arguments. */
export type ExpressionKind = 'bool' | 'number' | 'string' | 'list' | 'null' | 'any'

/** A CEL expression over the arguments that a client discloses. */
export interface CompiledExpression {
  /**
   * A boolean, number, text, null, or a list of those. Undefined where unknown: an argument that it reads is not disclosed or too large,
   * a type does not fit, or a number is not finite. Never throws; takes about a microsecond, bounded by the limits of arguments.
   */
  evaluate(args: Readonly<Record<string, unknown>> | undefined): unknown
  /** Names of the arguments that it reads; if one is not disclosed, the result is unknown. */
  readonly reads: readonly string[]
  /** Those that it may read in part; the others it only compares as a whole. */
  readonly searches: readonly string[]
  /** Those that may be a text. */
  readonly texts: readonly string[]
  readonly gives: ExpressionKind
}

const LIMITS = {
  maxAstNodes: 250,
  maxDepth: 24,
  maxListElements: 128,
  maxCallArguments: 4,
  maxMapEntries: 16,
}

const environment = createEnvironment()

/** Numbers of JSON are doubles in CEL: without mixed operators `args.amount * 2` would fail. */
function createEnvironment(): Environment {
  const created = new Environment({ homogeneousAggregateLiterals: false, limits: LIMITS })
  created.registerVariable(ARGS, 'dyn')
  const arithmetic: Record<string, (a: number, b: number) => number> = {
    '+': (a, b) => a + b,
    '-': (a, b) => a - b,
    '*': (a, b) => a * b,
    '/': (a, b) => a / b,
  }
  for (const [sign, result] of Object.entries(arithmetic)) {
    const mixed = (a: unknown, b: unknown): number => result(Number(a), Number(b))
    created.registerOperator(`double ${sign} int: double`, mixed)
    created.registerOperator(`int ${sign} double: double`, mixed)
  }
  const rest = (a: unknown, b: unknown): number => Number(a) % Number(b)
  for (const pair of ['double % int', 'int % double', 'double % double'])
    created.registerOperator(`${pair}: double`, rest)
  return created
}

/** Compiles a CEL expression over `args`. Throws `document_invalid` with one line that says what is wrong, and where. */
export function compileExpression(text: string): CompiledExpression {
  const { run, tree, type } = parsed(text)
  const textMax = tree.splits ? SPLIT_TEXT_MAX : TEXT_MAX
  const valuesMax = tree.nests ? NESTED_VALUES_MAX : VALUES_MAX
  let failedLast = false
  const attempt = (args: Readonly<Record<string, unknown>>): unknown => {
    try {
      const result = resultOf(run({ [ARGS]: withoutNulls(args, tree.asksFor) }))
      failedLast = false
      return result
    } catch {
      failedLast = true
      return undefined
    }
  }
  return {
    reads: tree.reads,
    searches: tree.searches,
    texts: tree.texts,
    gives: kindOf(type),
    evaluate(args) {
      if (!args) return undefined
      for (const name of tree.reads)
        if (!Object.hasOwn(args, name) || !isSmall(args[name], textMax, valuesMax)) return undefined
      return failedLast ? withoutStacks(() => attempt(args)) : attempt(args)
    },
  }
}

/** Without its stack an error costs a sixth; switching stacks off costs as much as one successful evaluation, so only after a failure. */
function withoutStacks<T>(work: () => T): T {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    return work()
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

function parsed(text: string) {
  try {
    const run = environment.parse(text)
    const tree = readTree(run.ast)
    const { valid, type, error } = run.check()
    if (!valid) throw error ?? new ExpressionRefused('types that do not fit')
    return { run, tree, type }
  } catch (cause) {
    throw new PlimsollError('document_invalid', `expression \`${shown(text)}\`: ${causeOf(cause)}`, { cause })
  }
}

/** `has(args.name)` is false where the client discloses `null`: the call has no such argument. An undisclosed argument stays unknown. */
function withoutNulls(args: Readonly<Record<string, unknown>>, asksFor: readonly string[]): unknown {
  if (!asksFor.some((name) => args[name] === null)) return args
  return Object.fromEntries(
    Object.entries(args).filter(([name, value]) => value !== null || !asksFor.includes(name)),
  )
}

function resultOf(value: unknown): unknown {
  if (!Array.isArray(value)) return scalarOf(value)
  if (value.length > VALUES_MAX) return undefined
  const scalars = value.map(scalarOf)
  return scalars.includes(undefined) ? undefined : scalars
}

function scalarOf(value: unknown): boolean | number | string | null | undefined {
  if (typeof value === 'bigint') return Number(value)
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  if (typeof value === 'string') return value.length <= TEXT_MAX ? value : undefined
  return typeof value === 'boolean' || value === null ? value : undefined
}

function kindOf(type = 'dyn'): ExpressionKind {
  if (type === 'int' || type === 'double') return 'number'
  if (type === 'bool' || type === 'string' || type === 'null') return type
  return type.startsWith('list') ? 'list' : 'any'
}

/** The library draws the place below its message; keep one line. */
function causeOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  const [first = ''] = cause.message.split('\n')
  const message =
    cause instanceof ExpressionRefused ? first : `${first.charAt(0).toLowerCase()}${first.slice(1)}`
  const at = placeOf(cause)
  return at === undefined ? message : `${message}, at character ${at + 1}`
}

function placeOf(cause: Error & { readonly range?: { readonly start?: unknown } }): number | undefined {
  const start = cause.range?.start
  return typeof start === 'number' ? start : undefined
}

const shown = (text: string): string => text.replaceAll(/\s+/g, ' ').slice(0, 80)
