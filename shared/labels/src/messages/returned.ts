import type { Fingerprint } from '@plimsoll/contracts'
import { createTokenScanner } from '../text/tokens.js'
import type { Fingerprinter } from '../provenance/fingerprinter.js'
import type { Message } from './authored.js'
import { formsOfAuthor } from './authors.js'

/** Authors of one session, and fingerprints of all that they wrote. What goes beyond is not known to return. */
const AUTHORS_MAX = 64
const VALUES_MAX = 4_096
/** Its own, as the tokens of the result that holds a message are in use. */
const scan = createTokenScanner()

/** What people wrote to a session: it may go back to them. Holds fingerprints and no text. Source: docs/decisions/20261130-who-wrote-it.md. */
export interface Writings {
  add(messages: readonly Message[]): void
  /**
   * Those of a step's fingerprints that each of its recipients wrote.
   *
   * @param recipients of each: fingerprints of the whole address first
   */
  returning(
    fingerprints: readonly Fingerprint[] | undefined,
    recipients: readonly (readonly Fingerprint[])[] | undefined,
  ): readonly Fingerprint[]
}

export function createWritings(fingerprinter: Fingerprinter): Writings {
  const written = new Map<string, Set<string>>()
  let left = VALUES_MAX
  const writingsOf = (person: string): Set<string> | undefined => {
    const known = written.get(person)
    if (known !== undefined || written.size >= AUTHORS_MAX) return known
    const made = new Set<string>()
    written.set(person, made)
    return made
  }
  return {
    add: (messages) => {
      for (const { author, text } of messages) {
        const [whole] = fingerprinter.people(formsOfAuthor(author).slice(0, 1))
        const known = whole === undefined || text === '' ? undefined : writingsOf(bitsOf(whole))
        if (known === undefined || left <= 0) continue
        const before = known.size
        for (const each of fingerprinter.result(text, scan(text), [], true, false).fingerprints)
          if (known.size - before < left) known.add(bitsOf(each))
        left -= known.size - before
      }
    },
    returning: (fingerprints = [], recipients = []) => {
      if (written.size === 0 || recipients.length === 0) return []
      const wrote = recipients.map(([whole = '']) => written.get(bitsOf(whole)))
      return fingerprints.filter((each) => wrote.every((values) => values?.has(bitsOf(each)) === true))
    },
  }
}

/** A fingerprint without its letter: a value may be read as another kind of it. */
const bitsOf = (fingerprint: Fingerprint): string => fingerprint.slice(1)
