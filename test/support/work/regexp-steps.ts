import {
  type Accepts,
  type Instruction,
  type Program,
  type Times,
  compileExpression,
} from './regexp-program.js'

export interface Counted {
  readonly steps: number
  /** Where the first match is; [-1, -1] where there is none. */
  readonly found: readonly [start: number, end: number]
}

/** Counts the steps in which a backtracking matcher finds the first match from `from` on; gives up after `most`. */
export type StepCounter = (text: string, from: number, most: number) => Counted

/** @throws {Error} an expression of a kind that no reader has had until now */
export function createStepCounter(expression: RegExp): StepCounter {
  const program = compileExpression(expression)
  return (text, from, most) => {
    const matcher = new Matcher(program, text, most)
    const last = expression.sticky ? from : text.length
    for (let start = from; start <= last; start += matcher.widthAt(start)) {
      const end = matcher.match(0, start)
      if (end >= 0) return { steps: matcher.steps, found: [start, end] }
      if (matcher.steps > most) break
    }
    return { steps: matcher.steps, found: [-1, -1] }
  }
}

/** What is tried when the present way fails: another way, or a number put back on the way to it. */
type Resume =
  | { readonly kind: 'try'; readonly next: number; readonly at: number }
  | { readonly kind: 'restore'; readonly slot: number; readonly value: number }
  | {
      readonly kind: 'give'
      readonly next: number
      at: number
      readonly least: number
      readonly back: boolean
    }
  | { readonly kind: 'take'; readonly next: number; at: number; left: number; readonly run: Run }

type Run = Extract<Instruction, { op: 'run' }>

const isHigh = (unit: number) => unit >= 0xd800 && unit < 0xdc00
const isLow = (unit: number) => unit >= 0xdc00 && unit < 0xe000

/** Works through the instructions at one position after another. A class, as each step changes where it is: `next` and `at`. */
class Matcher {
  steps = 0
  private next = 0
  private at = 0
  private readonly stack: Resume[] = []
  private readonly numbers: Int32Array

  private readonly program: Program
  private readonly text: string
  private readonly most: number

  constructor(program: Program, text: string, most: number) {
    this.program = program
    this.text = text
    this.most = most
    this.numbers = new Int32Array(program.slots)
  }

  /** Where the match of the instructions from `first` on ends, which begins at `begin`; -1 if there is none. */
  match(first: number, begin: number): number {
    if (first === 0) this.numbers.fill(-1)
    const base = this.stack.length
    this.next = first
    this.at = begin
    let end = -1
    while (this.steps <= this.most) {
      this.steps += 1
      if (this.program.instructions[this.next]?.op === 'accept') {
        end = this.at
        break
      }
      if (!this.proceed() && !this.resume(base)) break
    }
    this.stack.length = base
    return end
  }

  widthAt(at: number): number {
    const { text } = this
    return this.program.unicode && isHigh(text.charCodeAt(at)) && isLow(text.charCodeAt(at + 1)) ? 2 : 1
  }

  private widthBefore(at: number): number {
    const { text } = this
    return this.program.unicode && at > 1 && isLow(text.charCodeAt(at - 1)) && isHigh(text.charCodeAt(at - 2)) ? 2 : 1 // prettier-ignore
  }

  private set(slot: number, value: number): void {
    this.stack.push({ kind: 'restore', slot, value: this.numbers[slot] ?? -1 })
    this.numbers[slot] = value
  }

  /** Takes one instruction; false where the way ends. */
  private proceed(): boolean {
    const instruction = this.program.instructions[this.next]
    if (instruction === undefined) return false
    this.next += 1
    switch (instruction.op) {
      case 'character':
        return this.take(instruction.accepts, instruction.back)
      case 'run':
        return this.run(instruction)
      case 'either':
        this.stack.push({ kind: 'try', next: instruction.second, at: this.at })
        this.next = instruction.first
        return true
      case 'go':
        this.next = instruction.to
        return true
      case 'position':
        this.set(instruction.slot, this.at)
        return true
      case 'begin':
        this.set(instruction.count, 0)
        return true
      case 'loop':
        this.loop(instruction.count, instruction.times, instruction.exit)
        return true
      case 'again': {
        const done = this.numbers[instruction.count] ?? 0
        if (this.at === this.numbers[instruction.count + 1] && done >= instruction.times.min) return false
        this.set(instruction.count, done + 1)
        this.next = instruction.to
        return true
      }
      case 'holds':
        return instruction.holds(this.text, this.at)
      case 'look':
        return this.look(instruction.exit, instruction.negative)
      case 'same':
        return this.repeatGroup(instruction.group, instruction.back)
      case 'accept':
        return false
    }
  }

  /** Goes over one more character, if it is accepted. */
  private take(accepts: Accepts, back: boolean): boolean {
    this.steps += 1
    const { text, at } = this
    if (back ? at <= 0 : at >= text.length) return false
    const width = back ? this.widthBefore(at) : this.widthAt(at)
    const start = back ? at - width : at
    const character = width === 2 ? text.codePointAt(start) : text.charCodeAt(start)
    if (!accepts(character ?? 0)) return false
    this.at = back ? start : start + width
    return true
  }

  private run(run: Run): boolean {
    const { accepts, back, times } = run
    const { min, max, lazy } = times
    let taken = 0
    let least = this.at
    while (taken < (lazy ? min : max) && this.steps <= this.most && this.take(accepts, back)) {
      taken += 1
      if (taken === min) least = this.at
    }
    if (taken < min) return false
    const { next, at } = this
    if (lazy && max > min) this.stack.push({ kind: 'take', next, at, left: max - min, run })
    if (!lazy && taken > min) this.stack.push({ kind: 'give', next, at, least, back })
    return true
  }

  private loop(count: number, { min, max, lazy }: Times, exit: number): void {
    const done = this.numbers[count] ?? 0
    const body = this.next
    if (done >= max) this.next = exit
    else if (done >= min) {
      this.stack.push({ kind: 'try', next: lazy ? body : exit, at: this.at })
      if (lazy) this.next = exit
    }
    this.set(count + 1, this.at)
  }

  private look(exit: number, negative: boolean): boolean {
    const { at } = this
    const isFound = this.match(this.next, at) >= 0
    this.at = at
    this.next = exit
    return isFound !== negative
  }

  private repeatGroup(group: number, back: boolean): boolean {
    const start = this.numbers[2 * group] ?? -1
    const end = this.numbers[2 * group + 1] ?? -1
    if (start < 0 || end < 0) return true
    const from = back ? this.at - (end - start) : this.at
    for (let i = 0; i < end - start; i++) {
      this.steps += 1
      if (this.text.charCodeAt(from + i) !== this.text.charCodeAt(start + i)) return false
    }
    this.at = back ? from : from + (end - start)
    return true
  }

  /** Goes back to the last way that is left above `base`; false where none is. */
  private resume(base: number): boolean {
    while (this.stack.length > base) {
      this.steps += 1
      const last = this.stack.pop()
      if (last === undefined) return false
      if (last.kind === 'restore') {
        this.numbers[last.slot] = last.value
        continue
      }
      this.next = last.next
      this.at = last.at
      if (last.kind === 'give') {
        last.at += last.back ? this.widthAt(last.at) : -this.widthBefore(last.at)
        this.at = last.at
        if (last.at !== last.least) this.stack.push(last)
      } else if (last.kind === 'take') {
        if (!this.take(last.run.accepts, last.run.back)) continue
        last.at = this.at
        last.left -= 1
        if (last.left > 0) this.stack.push(last)
      }
      return true
    }
    return false
  }
}
