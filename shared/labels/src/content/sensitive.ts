import type { Signals, ToolLabels } from '@plimsoll/contracts'
import { AFTER_ASSIGN, HAS_AT, HAS_DIGIT, HAS_LOWER, HAS_UPPER } from '../text/characters.js'
import { patternOf, readTable, longPattern } from '../text/data.js'
import type { Tokens } from '../text/tokens.js'
import { type PersonalKind, personalAt } from './personal-data.js'
import { type SecretKind, APP_PASSWORD_GROUP, SECRET_LENGTH_MIN, secretAt } from './secrets.js'

export type SensitiveKind = SecretKind | PersonalKind

/** Kinds and counts of sensitive data in a text, without any value. */
export interface SensitiveFindings {
  /**
   * `credentials` if there is a secret; `sensitive` if there is a card, account or national id. E-mail addresses and phone numbers only add a
   * tag, because most texts contain some.
   */
  readonly confidentiality?: Extract<ToolLabels['confidentiality'], 'sensitive' | 'credentials'>
  /** Any of `secret`, `pii`, `financial`. */
  readonly tags: readonly string[]
  readonly counts: Readonly<Partial<Record<SensitiveKind, number>>>
  /** Counts of `secrets` and `personal` on a logarithmic scale of 0…1; absent if zero. */
  readonly signals: Signals
}

/** The count at which a signal reaches 1. */
const COUNT_FULL = 64
const NOTHING: SensitiveFindings = { tags: [], counts: {}, signals: {} }

/** Finds secrets and personal data. Examines only tokens that could be one; linear in the text. */
export function findSensitive(text: string, tokens: Tokens): SensitiveFindings {
  const { count, start, end, flags } = tokens
  let counts: Partial<Record<SensitiveKind, number>> | undefined
  let index = 0
  while (index < count) {
    const made = flags[index] ?? 0
    const length = (end[index] ?? 0) - (start[index] ?? 0)
    // The flag first: that many words have four letters would be mispredicted.
    const isGroup = (made & AFTER_ASSIGN) !== 0 && length === APP_PASSWORD_GROUP
    const isCandidate = isGroup || (made & (HAS_DIGIT | HAS_AT)) !== 0 || (made & CASE) === HAS_UPPER
    if (!isCandidate && length < SECRET_LENGTH_MIN) {
      index++
      continue
    }
    const secret = secretAt(text, tokens, index)
    const personal = secret ? undefined : personalAt(text, tokens, index)
    const kind = secret ?? personal?.kind
    if (kind) {
      counts ??= {}
      counts[kind] = (counts[kind] ?? 0) + 1
    }
    index += personal?.tokens ?? 1
  }
  return counts ? findingsOf(counts) : NOTHING
}

/** A wallet's words: `recovery phrase: witch collapse …`. */
const SEED_PHRASE = patternOf(readTable('text', 'seedPhrase'))
const isSeedPhrase = (text: string): boolean => {
  const [found = ''] = SEED_PHRASE.exec(text) ?? []
  return found !== '' && !SENTENCE.test(found)
}
/** Words of sentences, which no wallet's list has. */
const SENTENCE = longPattern('sensitive.SENTENCE')
/** A line that says that its text is confidential, in the words of the usual markings. */
const MARKING = patternOf(readTable('text', 'marking'))
/** A piece of each word of `MARKING`: a search for them is cheaper, and most texts have none. */
const MAY_MARK = longPattern('sensitive.MAY_MARK')
/** Where a marking stands, in UTF-16 code units. */
const HEAD = 400

/** As `findSensitive`, of a text that a tool returned: a text that is marked confidential is sensitive whatever its values. */
export function findSensitiveResult(text: string, tokens: Tokens): SensitiveFindings {
  const found = findSensitive(text, tokens)
  if (found.confidentiality === 'credentials') return found
  if (text.includes('hrase') && isSeedPhrase(text)) return { ...found, confidentiality: 'credentials' }
  return found.confidentiality === undefined && isMarked(text.slice(0, HEAD))
    ? { ...found, confidentiality: 'sensitive' }
    : found
}

const isMarked = (head: string): boolean => MAY_MARK.test(head) && MARKING.test(head)

const CASE = HAS_UPPER | HAS_LOWER

function findingsOf(counts: Readonly<Partial<Record<SensitiveKind, number>>>): SensitiveFindings {
  const { token = 0, private: key = 0, login = 0, hash = 0, assigned = 0 } = counts
  const { card = 0, iban = 0, email = 0, phone = 0, national = 0 } = counts
  const secrets = token + key + login + hash + assigned
  const financial = card + iban
  const personal = email + phone + national + financial
  const tags: string[] = []
  if (secrets > 0) tags.push('secret')
  if (personal > 0) tags.push('pii')
  if (financial > 0) tags.push('financial')
  return {
    ...(secrets > 0
      ? { confidentiality: 'credentials' as const }
      : financial + national > 0 && { confidentiality: 'sensitive' as const }),
    tags,
    counts,
    signals: {
      ...(secrets > 0 && { secrets: scaled(secrets) }),
      ...(personal > 0 && { personal: scaled(personal) }),
    },
  }
}

const scaled = (count: number): number => Math.min(1, Math.log2(1 + count) / Math.log2(1 + COUNT_FULL))
