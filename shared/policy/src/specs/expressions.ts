import { Environment } from '@marcbachmann/cel-js'
import { PlimsollError } from '@plimsoll/contracts'
import { ARGS, ExpressionRefused, readTree } from './expression-tree.js'

/** Values in an argument that an expression reads: members and elements at any depth. A larger argument is not known. */
export const VALUES_MAX = 256
/** Where one list is walked within another: the time goes with the square. */
export const NESTED_VALUES_MAX = 48

/** Characters of all text in an argument that an expression reads; fewer where it splits text, since each part is a value. */
export const TEXT_MAX = 16_384
export const SPLIT_TEXT_MAX = 4096

const DEPTH_MAX = 16

interface Room {
  values: number
  text: number
}

/** Whether an argument is small enough that reading it takes a bounded time. Looks at no more than that many values itself. */
export function isSmall(value: unknown, textMax: number, valuesMax: number): boolean {
  if (typeof value === 'string') return value.length <= textMax
  if (typeof value !== 'object' || value === null) return true
  return fits(value, { values: valuesMax, text: textMax }, DEPTH_MAX)
}

function fits(value: unknown, room: Room, depth: number): boolean {
  if (typeof value === 'string') return (room.text -= value.length) >= 0
  if (typeof value !== 'object' || value === null) return true
  if (depth === 0) return false
  for (const key in value) {
    if (--room.values < 0) return false
    if (!Array.isArray(value) && (room.text -= key.length) < 0) return false
    if (!fits(Reflect.get(value, key), room, depth - 1)) return false
  }
  return true
}

/** What an expression gives, as far as can be told before it runs; `any`: it depends on the arguments. */
export type ExpressionKind = 'bool' | 'number' | 'string' | 'list' | 'null' | 'any'

/** A CEL expression over the arguments that a client discloses. */
export interface CompiledExpression {
  /**
   * A boolean, number, text, null, or a list of those. Undefined where it is not known: an argument that it reads was not told or is too
   * large, a type does not fit, a number is not finite. Never throws; takes about a microsecond, and is bounded by the limits of arguments.
   */
  evaluate(args: Readonly<Record<string, unknown>> | undefined): unknown
  /** Names of the arguments that it reads; one that is not told leaves it unknown. */
  readonly reads: readonly string[]
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

/** Numbers of JSON are CEL's doubles; an author's `args.amount * 2` is to mean what it says. */
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

/** Compiles a CEL expression over `args`. Throws `document_invalid` with a line that names what is wrong with it, and where. */
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
    gives: kindOf(type),
    evaluate(args) {
      if (!args) return undefined
      for (const name of tree.reads)
        if (!Object.hasOwn(args, name) || !isSmall(args[name], textMax, valuesMax)) return undefined
      return failedLast ? withoutStacks(() => attempt(args)) : attempt(args)
    },
  }
}

/** An error costs a sixth without its stack; to do without one costs as much again as an expression that does not fail. */
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

/** `has(args.name)` is false where the client tells `null`: the call has no such argument. Where nothing is told, it is not known. */
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

/** The library tells the place in a drawing below the message; one line has to do. */
function causeOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  const [first = ''] = cause.message.split('\n')
  const message =
    cause instanceof ExpressionRefused ? first : `${first.charAt(0).toLowerCase()}${first.slice(1)}`
  const at = placeOf(cause)
  return at === undefined ? message : `${message}, at character ${at + 1}`
}

function placeOf(cause: Error): number | undefined {
  if (!('range' in cause)) return undefined
  const { range } = cause
  if (typeof range !== 'object' || range === null || !('start' in range)) return undefined
  return typeof range.start === 'number' ? range.start : undefined
}

const shown = (text: string): string => text.replaceAll(/\s+/g, ' ').slice(0, 80)
