import type { Part } from './module-parts.js'
import type { Policy, StepPattern } from '@plimsoll/contracts'
import { type Reading, patternPredicate } from './patterns.js'
import type { Vocabulary } from './vocabulary.js'
import type { Windows } from './windows.js'

/** The context for writing a spec or a run. */
export interface Writing {
  readonly depth: number
  readonly policy: Policy
  readonly words: Vocabulary
  readonly windows: Windows
}

/** Collects what one spec or run adds to the module. */
export interface Draft {
  readonly field: (declaration: string) => void
  readonly paragraph: (text: string) => void
  /** Adds a predicate for `pattern` and returns its name. */
  readonly pattern: (role: string, pattern: StepPattern, reading: Reading) => string
  readonly name: (role: string) => string
  /** A set of steps. Before each step in it a block happened that later verdicts depend on. */
  readonly refusals: (set: string) => void
  /** A clause that says that an obligation is open when the session ends. */
  readonly owedAtEnd: (clause: string) => void
  readonly part: () => Part
}

export function createDraft(owner: string, { words }: Pick<Writing, 'words'>): Draft {
  const fields: string[] = []
  const paragraphs: string[] = []
  const refusals: string[] = []
  const owedAtEnd: string[] = []
  const name = (role: string) => words.name(`${owner}_${role}`)
  return {
    name,
    field: (declaration) => void fields.push(declaration),
    paragraph: (text) => void paragraphs.push(text),
    pattern: (role, pattern, reading) => {
      const id = name(role)
      paragraphs.push(patternPredicate(id, pattern, reading, words))
      return id
    },
    refusals: (set) => void refusals.push(set),
    owedAtEnd: (clause) => void owedAtEnd.push(clause),
    part: () => ({ fields, paragraphs, refusals, owedAtEnd }),
  }
}

/** A clause over a step `s` that the module leaves undetermined. */
export function free(draft: Draft, role: string, what: string): string {
  const id = draft.name(role)
  draft.paragraph(`-- free choice: ${what.replaceAll(/\s+/g, ' ')}\nsig ${id} in Step {}`)
  return `s in ${id}`
}
