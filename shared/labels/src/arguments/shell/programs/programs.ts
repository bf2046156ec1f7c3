/** What a sed or awk program does beyond editing its input. */
export type ProgramAct = 'runs' | 'writes' | undefined

/** Longer programs, in characters, count as running commands. */
const TEXT_MAX = 4096

/** Whether a sed script runs commands (`e`) or writes files (`w`), by its commands and by the flags of `s`. */
export function sedAct(script: string): ProgramAct {
  if (script.length > TEXT_MAX) return 'runs'
  let act: ProgramAct
  for (let i = 0; i < script.length;) {
    const letter = script.charAt(i)
    if (letter === '/' || letter === '\\') i = pastDelimited(script, letter === '/' ? i : i + 1, 1)
    else if (letter === 's' || letter === 'y') {
      i = pastDelimited(script, i + 1, 2)
      for (; i < script.length && !';\n}'.includes(script.charAt(i)); i += 1) {
        if (script[i] === 'e') return 'runs'
        if (script[i] === 'w') act = 'writes'
      }
    } else if (letter === 'e') return 'runs'
    else if (letter === 'w' || letter === 'W') {
      act = 'writes'
      i = pastLine(script, i)
    } else if ('aicrR:btT'.includes(letter)) i = pastLine(script, i)
    else i += 1
  }
  return act
}

/** Index after `count` parts that end with the delimiter at `at`; a backslash escapes the next character. */
function pastDelimited(script: string, at: number, count: number): number {
  const delimiter = script.charAt(at)
  let left = count
  let i = at + 1
  for (; i < script.length && left > 0; i += 1) {
    if (script[i] === '\\') i += 1
    else if (script[i] === delimiter) left -= 1
  }
  return Math.max(i, at + 1)
}

function pastLine(script: string, at: number): number {
  const end = script.indexOf('\n', at)
  return end < 0 ? script.length : end
}

/** Whether an awk program runs commands (`system`, a pipe) or writes files (`print > …`). */
export function awkAct(program: string): ProgramAct {
  if (program.length > TEXT_MAX || /\bsystem\b|@load|(^|[^|])\|($|[^|])/.test(withoutStrings(program)))
    return 'runs'
  if (/\/inet/.test(program)) return 'runs'
  for (let at = program.indexOf('print'); at >= 0; at = program.indexOf('print', at + 5)) {
    const end = program.slice(at).search(/[;}\n]/)
    const clause = withoutStrings(program.slice(at, end < 0 ? program.length : at + end))
    if (/>/.test(clause.replaceAll(/\([^()]*\)/g, ''))) return 'writes'
  }
  return undefined
}

const withoutStrings = (text: string): string =>
  text.replaceAll(/"(?:[^"\\]|\\.)*"|\/(?:[^/\\\n]|\\.)*\//g, '""')
