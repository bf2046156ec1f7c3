/** What a part of the policy adds to the module. */
export interface Part {
  /** Declarations for the signature of steps. */
  readonly fields?: readonly string[]
  /** Paragraphs, each with its comments. */
  readonly paragraphs: readonly string[]
  /** Sets of steps before each of which something was blocked that mattered. */
  readonly refusals?: readonly string[]
  /** Clauses of which each says that something is owed when the session ends. */
  readonly owedAtEnd?: readonly string[]
}

export const predicate = (name: string, body: readonly string[]): string =>
  body.length === 0
    ? `pred ${name} [s: Step] { some s.tool }`
    : `pred ${name} [s: Step] {\n${body.map((line) => `  ${line}`).join('\n')}\n}`

export const fact = (body: readonly string[]): string =>
  `fact {\n${body.map((line) => `  ${line}`).join('\n')}\n}`

/** A set of atoms; `none` where there are none. */
export const union = (atoms: readonly string[]): string => (atoms.length === 0 ? 'none' : atoms.join(' + '))

/** Gives everything that a module speaks of an identifier of its own, as near to its name as Alloy lets it be. */
export function createNames(): (name: string) => string {
  const taken = new Set(TAKEN.split(' '))
  return (name) => {
    const plain = name.replaceAll(/[^A-Za-z0-9_]+/g, '_').replace(/^(?![A-Za-z])/, 'x_')
    let free = plain
    for (let i = 2; taken.has(free); i++) free = `${plain}_${i}`
    taken.add(free)
    return free
  }
}

/** `text` as a comment of one line: what a policy's author wrote may hold line ends. */
export const comment = (text: string): string => `-- ${text.replaceAll(/\s+/g, ' ').trim()}`

/** Words that an identifier may not be: Alloy's own, and those that `util/ordering` brings. */
export const TAKEN =
  'abstract after all always and as assert before but check disj else enabled enum event eventually exactly exh extends fact first for fun gt gte historically iden iff implies in int Int invariant larger last let lone lt lte max min modifies module next nexts no none not once one open or ord part pred prev prevs private pred releases run seq set sig since smaller some steps String sum this triggered univ until var'
