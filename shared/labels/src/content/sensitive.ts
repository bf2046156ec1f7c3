import type { Signals, ToolLabels } from '@plimsoll/contracts'
import { HAS_AT, HAS_DIGIT, HAS_LOWER, HAS_UPPER } from '../text/characters.js'
import type { Tokens } from '../text/tokens.js'
import { type PersonalKind, personalAt } from './personal-data.js'
import { type SecretKind, SECRET_LENGTH_MIN, secretAt } from './secrets.js'

export type SensitiveKind = SecretKind | PersonalKind

/** What is sensitive in a text: kinds and counts. Nothing of a value is in it. */
export interface SensitiveFindings {
  /**
   * `credentials` where a secret is in it, `sensitive` where a card, an account or a national number is. Addresses and telephone
   * numbers alone are tagged and raise nothing: most texts that people write have some.
   */
  readonly confidentiality?: Extract<ToolLabels['confidentiality'], 'sensitive' | 'credentials'>
  /** `secret`, `pii`, `financial`. */
  readonly tags: readonly string[]
  readonly counts: Readonly<Partial<Record<SensitiveKind, number>>>
  /** `secrets` and `personal`: how many, 0…1, equal steps for equal ratios; left out where none is. */
  readonly signals: Signals
}

/** So many findings count as full. */
const COUNT_FULL = 64
const NOTHING: SensitiveFindings = { tags: [], counts: {}, signals: {} }

/** Secrets and personal data among the tokens of `text`: only tokens that could be one are looked at, in time linear in the text. */
export function findSensitive(text: string, tokens: Tokens): SensitiveFindings {
  const { count, start, end, flags } = tokens
  let counts: Partial<Record<SensitiveKind, number>> | undefined
  let index = 0
  while (index < count) {
    const made = flags[index] ?? 0
    const isCandidate = (made & (HAS_DIGIT | HAS_AT)) !== 0 || (made & CASE) === HAS_UPPER
    if (!isCandidate && (end[index] ?? 0) - (start[index] ?? 0) < SECRET_LENGTH_MIN) {
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

const CASE = HAS_UPPER | HAS_LOWER

function findingsOf(counts: Readonly<Partial<Record<SensitiveKind, number>>>): SensitiveFindings {
  const of = (...kinds: SensitiveKind[]) => kinds.reduce((sum, kind) => sum + (counts[kind] ?? 0), 0)
  const secrets = of('token', 'private', 'login', 'hash', 'assigned')
  const financial = of('card', 'iban')
  const personal = of('email', 'phone', 'national') + financial
  const tags = [secrets > 0 && 'secret', personal > 0 && 'pii', financial > 0 && 'financial'].filter(
    (tag) => tag !== false,
  )
  return {
    ...(secrets > 0
      ? { confidentiality: 'credentials' as const }
      : financial + of('national') > 0 && { confidentiality: 'sensitive' as const }),
    tags,
    counts,
    signals: {
      ...(secrets > 0 && { secrets: scaled(secrets) }),
      ...(personal > 0 && { personal: scaled(personal) }),
    },
  }
}

const scaled = (count: number): number => Math.min(1, Math.log2(1 + count) / Math.log2(1 + COUNT_FULL))
