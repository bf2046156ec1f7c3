/** Whether an expression takes the character that starts with this unit or code point. */
export type Accepts = (character: number) => boolean

/** One instruction of a regular expression. `back`: leftwards, as a lookbehind is matched. */
export type Instruction =
  | { readonly op: 'character'; readonly accepts: Accepts; readonly back: boolean }
  | { readonly op: 'run'; readonly accepts: Accepts; readonly back: boolean; readonly times: Times }
  | { readonly op: 'either'; readonly first: number; readonly second: number }
  | { readonly op: 'go'; readonly to: number }
  | { readonly op: 'position'; readonly slot: number }
  | { readonly op: 'begin'; readonly count: number }
  | { readonly op: 'loop'; readonly count: number; readonly times: Times; readonly exit: number }
  | { readonly op: 'again'; readonly count: number; readonly times: Times; readonly to: number }
  | { readonly op: 'holds'; readonly holds: (text: string, at: number) => boolean }
  | { readonly op: 'look'; readonly negative: boolean; readonly exit: number }
  | { readonly op: 'same'; readonly group: number; readonly back: boolean }
  | { readonly op: 'accept' }

export interface Times {
  readonly min: number
  readonly max: number
  readonly lazy: boolean
}

export interface Program {
  readonly instructions: readonly Instruction[]
  /** Two positions a group, then two numbers a loop. */
  readonly slots: number
  /** Characters are code points. */
  readonly unicode: boolean
}

interface Part {
  readonly emit: (back: boolean) => void
  readonly accepts?: Accepts
}

const ESCAPE = /^\\(?:k<\w+>|[pP]\{[^}]*\}|u\{[^}]*\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|c[A-Za-z]|\d+|[^])/u
const QUANTIFIER = /^(?:[*+?]|\{(\d+)(,?)(\d*)\})\??/

/** Compiles `expression` as the standard reads it: by backtracking, alternatives from left to right. */
export function compileExpression(expression: RegExp): Program {
  const { source, flags } = expression
  const unicode = expression.unicode || flags.includes('v')
  const groups = (new RegExp(`${source}|`, flags.replace(/[gy]/g, '')).exec('')?.length ?? 1) - 1
  const names = Array.from(source.matchAll(/(?<!\\)\((?:\?<(?![=!])(\w+)>|(?!\?))/g), ([, name]) => name)
  const instructions: Instruction[] = []
  let slots = 2 * (groups + 1)
  let at = 0
  let group = 0

  const emit = (instruction: Instruction): number => instructions.push(instruction) - 1
  /** Reserves a place for an instruction that names a later one. */
  const later = (make: (next: number) => Instruction): (() => void) => {
    const place = emit({ op: 'accept' })
    return () => void (instructions[place] = make(instructions.length))
  }

  function alternatives(): Part {
    const parts = [sequence()]
    while (source[at] === '|') {
      at += 1
      parts.push(sequence())
    }
    const [only] = parts
    if (parts.length === 1 && only !== undefined) return only
    return { emit: (back) => emitEither(parts, back) }
  }

  function emitEither(parts: readonly Part[], back: boolean): void {
    const ends: (() => void)[] = []
    for (const [i, part] of parts.entries()) {
      const isLast = i === parts.length - 1
      const first = instructions.length + 1
      const next = isLast ? undefined : later((second) => ({ op: 'either', first, second }))
      part.emit(back)
      if (!isLast) ends.push(later((to) => ({ op: 'go', to })))
      next?.()
    }
    for (const end of ends) end()
  }

  function sequence(): Part {
    const parts: Part[] = []
    while (at < source.length && source[at] !== '|' && source[at] !== ')') parts.push(repeated())
    return {
      emit: (back) => {
        for (const part of back ? parts.toReversed() : parts) part.emit(back)
      },
    }
  }

  function repeated(): Part {
    const part = atom()
    const found = QUANTIFIER.exec(source.slice(at, at + 40))
    if (!found) return part
    at += found[0].length
    const [text, from = '', comma, to] = found
    const least = text.startsWith('+') ? 1 : 0
    const most = text.startsWith('?') ? 1 : Infinity
    const times: Times = {
      min: from === '' ? least : Number(from),
      max: from === '' ? most : comma === '' ? Number(from) : to === '' ? Infinity : Number(to),
      lazy: text.length > 1 && text.endsWith('?'),
    }
    const { accepts } = part
    if (accepts) return { emit: (back) => emit({ op: 'run', accepts, back, times }) }
    return { emit: (back) => emitLoop(part, times, back) }
  }

  function emitLoop(part: Part, times: Times, back: boolean): void {
    const count = slots
    slots += 2
    emit({ op: 'begin', count })
    const to = instructions.length
    const loop = later((exit) => ({ op: 'loop', count, times, exit }))
    part.emit(back)
    emit({ op: 'again', count, times, to })
    loop()
  }

  function atom(): Part {
    const rest = source.slice(at, at + 3)
    if (rest.startsWith('(')) return parenthesis(rest)
    if (rest.startsWith('^') || rest.startsWith('$')) return assertion(rest.slice(0, 1))
    if (/^\\[bB]/.test(rest)) return assertion(rest.slice(0, 2))
    if (rest.startsWith('\\')) return escape()
    return character(rest.startsWith('[') ? classAt() : String.fromCodePoint(codePointAt()))
  }

  const codePointAt = () => (unicode ? source.codePointAt(at) : source.charCodeAt(at)) ?? 0

  function parenthesis(rest: string): Part {
    const look = /^\(\?(<?)([=!])/.exec(source.slice(at, at + 4))
    if (look) {
      at += look[0].length
      const body = closed()
      const negative = look[2] === '!'
      return {
        emit: () => {
          const end = later((exit) => ({ op: 'look', negative, exit }))
          body.emit(look[1] === '<')
          emit({ op: 'accept' })
          end()
        },
      }
    }
    if (rest === '(?:') {
      at += 3
      return closed()
    }
    if (rest.startsWith('(?') && rest !== '(?<') throw new Error(`cannot read \`${source}\` at ${at}`)
    at = rest === '(?<' ? source.indexOf('>', at) + 1 : at + 1
    group += 1
    const slot = 2 * group
    const body = closed()
    return {
      emit: (back) => {
        emit({ op: 'position', slot: back ? slot + 1 : slot })
        body.emit(back)
        emit({ op: 'position', slot: back ? slot : slot + 1 })
      },
    }
  }

  function closed(): Part {
    const part = alternatives()
    at += 1
    return part
  }

  function assertion(text: string): Part {
    at += text.length
    const flag = expression.multiline ? 'my' : 'y'
    const native = new RegExp(text, flag)
    const holds = (whole: string, position: number) => {
      native.lastIndex = position
      return native.test(whole)
    }
    return { emit: () => emit({ op: 'holds', holds }) }
  }

  function escape(): Part {
    const [text = ''] = ESCAPE.exec(source.slice(at, at + 60)) ?? []
    const name = /^\\k<(\w+)>/.exec(text)?.[1]
    const number =
      name === undefined ? Number(/^\\([1-9]\d*)$/.exec(text)?.[1] ?? 0) : names.indexOf(name) + 1
    if (number < 1 || number > groups) return character(text)
    at += text.length
    return { emit: (back) => emit({ op: 'same', group: number, back }) }
  }

  function classAt(): string {
    let end = at + 1
    let depth = 1
    while (depth > 0) {
      if (source[end] === '\\') end += 1
      else if (source[end] === '[' && flags.includes('v')) depth += 1
      else if (source[end] === ']') depth -= 1
      end += 1
    }
    return source.slice(at, end)
  }

  function character(text: string): Part {
    at += text.length
    const accepts = acceptorOf(text, flags.replace(/[gymd]/g, ''))
    return { accepts, emit: (back) => emit({ op: 'character', accepts, back }) }
  }

  alternatives().emit(false)
  if (at < source.length) throw new Error(`cannot read \`${source}\` at ${at}`)
  emit({ op: 'accept' })
  return { instructions, slots, unicode }
}

/** What one character of an expression takes, asked of the engine once for each character. */
function acceptorOf(text: string, flags: string): Accepts {
  const native = new RegExp(`^(?:${text})$`, flags)
  const isTaken = (character: number) => native.test(String.fromCodePoint(character))
  const ascii = Array.from({ length: 128 }, (_, character) => isTaken(character))
  const others = new Map<number, boolean>()
  return (character) => {
    const known = ascii[character] ?? others.get(character)
    if (known !== undefined) return known
    const taken = isTaken(character)
    others.set(character, taken)
    return taken
  }
}
