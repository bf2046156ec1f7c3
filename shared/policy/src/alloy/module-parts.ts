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
