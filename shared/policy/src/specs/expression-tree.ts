import type { ASTNode } from '@marcbachmann/cel-js'

/** The facts about an expression that are known before it runs. */
export interface ExpressionTree {
  /** Names of the arguments that it reads, each once. */
  readonly reads: readonly string[]
  /** Of those, the ones that it does more with than compare the whole value (`==`, `in`) or ask for it (`has()`). */
  readonly searches: readonly string[]
  /** The ones that may be a text: it does more with them than compare them with a number, or ask for them. */
  readonly texts: readonly string[]
  /** The ones that it passes to `has()`. */
  readonly asksFor: readonly string[]
  readonly splits: boolean
  /** Whether it walks one list within another. */
  readonly nests: boolean
}

/** The variable that holds all arguments. */
export const ARGS = 'args'

/** Deepest nesting of comprehensions: each level multiplies the time by the length of a list. */
const NESTED_MAX = 2

/** Functions and methods whose time is linear in their input. `matches` is not among them: its patterns can take exponential time. */
const FUNCTIONS = new Set(['size', 'int', 'double', 'string', 'bool', 'dyn', 'has'])
const METHODS = new Set(
  'size contains startsWith endsWith indexOf lastIndexOf substring lowerAscii upperAscii trim split join'.split(
    ' ',
  ),
)
const COMPREHENSIONS = new Set(['all', 'exists', 'exists_one', 'filter', 'map'])

/** CEL accepts the expression, Plimsoll does not. The message is one line. */
export class ExpressionRefused extends Error {}

/** Walks the tree. Throws `ExpressionRefused` where it could take too long, or where the arguments that it reads are not known in advance. */
export function readTree(root: ASTNode): ExpressionTree {
  const reads = new Set<string>()
  const searches = new Set<string>()
  const texts = new Set<string>()
  const asksFor = new Set<string>()
  let splits = false
  let deepest = 0

  function visit(node: ASTNode, depth: number): void {
    const name = argumentRead(node)
    if (name !== undefined) {
      for (const names of [reads, searches, texts]) names.add(name)
      return
    }
    switch (node.op) {
      case 'value':
        if (typeof node.args === 'object' && node.args !== null) throw new ExpressionRefused(NO_BYTES)
        return
      case 'id':
        if (node.args === ARGS) throw new ExpressionRefused(BY_NAME)
        return
      case '.':
        return visit(node.args[0], depth)
      case 'call':
        return visitCall(node.args[0], node.args[1], depth)
      case 'rcall':
        return visitMethod(node.args[0], node.args[1], node.args[2], depth)
      case '!_':
      case '-_':
        return visit(node.args, depth)
      case 'map':
      case '.?':
      case '[?]':
        throw new ExpressionRefused('maps and optional members are not supported')
      case 'list':
      case '[]':
      case '?:':
      case '||':
      case '&&':
      case '!=':
      case '+':
      case '-':
      case '*':
      case '/':
      case '%':
        return visitAll(node.args, depth)
      case '<':
      case '<=':
      case '>':
      case '>=':
        return visitOrdered(node.args, depth)
      case '==':
        for (const side of node.args) visitCompared(side, depth)
        return
      case 'in':
        visitCompared(node.args[0], depth)
        return visit(node.args[1], depth)
    }
  }

  function visitCompared(node: ASTNode, depth: number): void {
    const name = argumentRead(node)
    if (name === undefined) return visit(node, depth)
    reads.add(name)
    texts.add(name)
  }

  function visitOrdered(sides: readonly ASTNode[], depth: number): void {
    const isNumeric = sides.some(isNumber)
    for (const side of sides) {
      const name = isNumeric ? argumentRead(side) : undefined
      if (name === undefined) visit(side, depth)
      else reads.add(name)
    }
  }

  function visitAll(nodes: readonly ASTNode[], depth: number): void {
    for (const node of nodes) visit(node, depth)
  }

  function visitCall(name: string, given: readonly ASTNode[], depth: number): void {
    if (!FUNCTIONS.has(name)) throw unknownFunction(name, FUNCTIONS)
    const asked = name === 'has' && given[0] ? argumentRead(given[0]) : undefined
    if (asked === undefined) return visitAll(given, depth)
    asksFor.add(asked)
    reads.add(asked)
  }

  function visitMethod(name: string, receiver: ASTNode, given: readonly ASTNode[], depth: number): void {
    visit(receiver, depth)
    if (!COMPREHENSIONS.has(name)) {
      if (!METHODS.has(name)) throw unknownFunction(name, METHODS, COMPREHENSIONS)
      splits ||= name === 'split'
      return visitAll(given, depth)
    }
    const [variable, ...body] = given
    if (variable?.op === 'id' && variable.args === ARGS) throw new ExpressionRefused(NO_SHADOWS)
    deepest = Math.max(deepest, depth + 1)
    visitAll(body, depth + 1)
  }

  visit(root, 0)
  if (deepest > (splits ? 1 : NESTED_MAX)) throw new ExpressionRefused(splits ? NESTED_SPLIT : NESTED)
  return {
    reads: [...reads],
    searches: [...searches],
    texts: [...texts],
    asksFor: [...asksFor],
    splits,
    nests: deepest > 1,
  }
}

const BY_NAME = `\`${ARGS}\` is read argument by argument: write \`${ARGS}.name\` or \`${ARGS}["name"]\``
const NO_SHADOWS = `\`${ARGS}\` cannot be the variable of a list's elements`
const NO_BYTES = 'bytes and unsigned numbers have no counterpart among arguments'
const NESTED = `lists may be walked within lists, no deeper than ${NESTED_MAX}`
const NESTED_SPLIT = 'with `split` no list may be walked within another'

function unknownFunction(name: string, ...known: ReadonlySet<string>[]): ExpressionRefused {
  const supported = known.flatMap((names) => [...names]).map((each) => `\`${each}\``)
  return new ExpressionRefused(`\`${name}\` is not supported; there are ${supported.join(', ')}`)
}

const isNumber = ({ op, args }: ASTNode): boolean =>
  op === 'value' && (typeof args === 'number' || typeof args === 'bigint')

/** `args.name` and `args["name"]`. */
function argumentRead(node: ASTNode): string | undefined {
  if (node.op !== '.' && node.op !== '[]') return undefined
  const [owner, member] = node.args
  if (owner.op !== 'id' || owner.args !== ARGS) return undefined
  if (typeof member === 'string') return member
  return member.op === 'value' && typeof member.args === 'string' ? member.args : undefined
}
