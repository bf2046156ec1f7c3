import type { FingerprintLetter } from '@plimsoll/contracts'
import { wordsOfName } from './name-words.js'

/** What an argument's name says of its values. */
export interface Role {
  readonly letter: FingerprintLetter
  readonly isTarget: boolean
}

const ROLES: readonly (readonly [words: string, role: Role])[] = [
  ['url uri link webhook endpoint website webpage site href', { letter: 'u', isTarget: true }],
  ['host hostname domain server', { letter: 'u', isTarget: true }],
  ['iban account card wallet', { letter: 'c', isTarget: true }],
  [
    `to cc bcc recipient recipients receiver email emails mail address addresses user users username channel channels participant
    participants attendee attendees invitee invitees assignee assignees member members contact contacts phone destination dest
    beneficiary payee customer owner`,
    { letter: 'a', isTarget: true },
  ],
  ['path paths file files filename filepath directory dir folder', { letter: 'p', isTarget: false }],
  ['id ids uuid number code reference ref sha', { letter: 'i', isTarget: false }],
]

const BY_WORD = new Map(ROLES.flatMap(([words, role]) => words.split(/\s+/).map((word) => [word, role])))

/** Names come from agents: so many are remembered, the rest are looked up each time. */
const KNOWN_MAX = 1_024
const known = new Map<string, Role | undefined>()

/** The role that the last telling word of `name` gives (`recipient_id`, `fileName`, `user_email`); undefined where none does. */
export function roleOf(name: string): Role | undefined {
  if (known.has(name)) return known.get(name)
  const role = wordsOfName(name)
    .map((word) => BY_WORD.get(word))
    .findLast((found) => found !== undefined)
  if (known.size < KNOWN_MAX) known.set(name, role)
  return role
}
