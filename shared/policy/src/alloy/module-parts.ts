/** What a part of the policy adds to the module. */
export interface Part {
  /** Declarations for the signature of steps. */
  readonly fields?: readonly string[]
  /** Paragraphs, each with its comments. */
  readonly paragraphs: readonly string[]
  /** Sets of steps. Before each step in them a block happened that later verdicts depend on. */
  readonly refusals?: readonly string[]
  /** Clauses. Each says that an obligation is open when the session ends. */
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

/** Gives everything in a module a unique identifier, as close to its name as Alloy allows. */
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

/** Reserved words: Alloy's own, and the names that `util/ordering` defines. */
export const TAKEN =
  'abstract after all always and as assert before but check disj else enabled enum event eventually exactly exh extends fact first for fun gt gte historically iden iff implies in int Int invariant larger last let lone lt lte max min modifies module next nexts no none not once one open or ord part pred prev prevs private pred releases run seq set sig since smaller some steps String sum this triggered univ until var'
