import { CONFIDENTIALITIES, handoverSchema, TAINTS, type Handover } from '@plimsoll/contracts'
import type { LineageEntry } from '@plimsoll/runtime'

/** As much as a session can have come to: what is not known any more counts as this. */
export const WORST: Handover['inherits'] = {
  taint: 'instructions',
  confidentiality: 'credentials',
  unseen: true,
  codeWritten: true,
}

/** An entry that speaks for sessions that nobody can name; its root is an id, for a session that begins with it is told it. */
export const worstBody = (): string => JSON.stringify({ root: 'lineage', inherits: WORST })

/**
 * What a lineage keeps of what a session hands over. Not what the task named: an agent tells its task itself, and nobody vouches for it. Not
 * its token: nobody has delegated to the sessions that follow.
 */
export function bodyOf({ root, inherits, signals, key }: Handover): string {
  const { fingerprints = {} } = inherits
  const lists = {
    untrusted: fingerprints.untrusted?.toSorted(),
    instructed: fingerprints.instructed?.toSorted(),
    sensitive: fingerprints.sensitive?.toSorted(),
  }
  return JSON.stringify({ root, inherits: { ...inherits, fingerprints: lists }, signals, key })
}

/** What an entry says; what cannot be read is the worst. */
export function knowledgeIn({ id, body }: LineageEntry): Handover {
  const { data } = handoverSchema.safeParse(parseJson(body))
  return data ?? { root: id, inherits: WORST }
}

/** Whether `other` says anything that is not in `known`. */
export function adds({ inherits: known, key }: Handover, other: Handover): boolean {
  const { taint, confidentiality, unseen, fingerprints = {} } = other.inherits
  if (TAINTS.indexOf(taint ?? 'none') > TAINTS.indexOf(known.taint ?? 'none')) return true
  if (isHigher(confidentiality, known.confidentiality)) return true
  if (unseen === true && known.unseen !== true) return true
  if (other.inherits.held === true && known.held !== true) return true
  if (other.inherits.codeWritten === true && known.codeWritten !== true) return true
  const own = known.fingerprints ?? {}
  const isOneKey = key === other.key
  return LISTS.some((list) => {
    const theirs = fingerprints[list] ?? []
    if (!isOneKey) return theirs.length > 0 && !isCounted(list, known)
    const mine = new Set(own[list])
    return theirs.some((fingerprint) => !mine.has(fingerprint))
  })
}

const LISTS = ['untrusted', 'instructed', 'sensitive'] as const

/** Whether what fingerprints under another key say of a session is known already: they match nothing. */
function isCounted(list: (typeof LISTS)[number], { taint, unseen }: Handover['inherits']): boolean {
  if (list === 'sensitive') return unseen === true
  return taint === 'instructions' || (list === 'untrusted' && taint === 'data')
}

type Confidentiality = (typeof CONFIDENTIALITIES)[number]

const isHigher = (a: Confidentiality | undefined, b: Confidentiality | undefined): boolean =>
  a !== undefined && (b === undefined || CONFIDENTIALITIES.indexOf(a) > CONFIDENTIALITIES.indexOf(b))

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
