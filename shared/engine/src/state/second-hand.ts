import type { ReportedMessage } from '@plimsoll/contracts'
import { FOLLOWED, INSTRUCTED, SECOND_HAND, TASK, TRUSTED } from '../labels/safety-state.js'
import {
  type Sources,
  LOOKED_UP_MAX,
  addSource,
  hasClass,
  isIn,
  lookUpSources,
} from '../provenance/sources.js'
import type { SessionState } from './session.js'

/**
 * What a session knows after a result with `messages`: what those of the people name whom its user says to follow is named at second hand.
 * If two people match, or another one than before, nobody is followed: one of them may only have taken the name. Source:
 * docs/decisions/20261128-second-hand.md.
 */
export function readMessages(
  { delegates, sendsForOther, sources }: Pick<SessionState, 'delegates' | 'sendsForOther' | 'sources'>,
  messages: readonly ReportedMessage[] | undefined,
): { readonly sources: Sources; readonly sendsForOther: boolean } {
  if (!delegates || messages === undefined) return { sources, sendsForOther }
  const followed = messages.filter(({ by }) => isIn(sources, by, FOLLOWED))
  const [author] = followed.map(({ by: [whole = ''] }) => whole)
  if (author === undefined || followed.some(({ by: [whole] }) => whole !== author))
    return { sources, sendsForOther }
  if (hasClass(sources, SECOND_HAND) && !isIn(sources, [author], SECOND_HAND))
    return { sources, sendsForOther }
  let known = sources
  for (const { by, values } of followed)
    known = addSource(known, [...by, ...values.filter(isNoTarget)], SECOND_HAND)
  return {
    sources: known,
    sendsForOther: sendsForOther || followed.some(({ asks }) => asks?.includes('send') === true),
  }
}

/** Who is only addressed in a message is a stranger: a message vouches for its author, and for those whose names it and the session know. */
const isNoTarget = (fingerprint: string): boolean => !/^[acu]/.test(fingerprint)

const FOUND = new Uint8Array(LOOKED_UP_MAX)

/**
 * Whether each recipient is named by the task, or at second hand: as a whole, or by a name where the whole was read outside of what reads like
 * instructions.
 */
export const areNamedRecipients = (sources: Sources, recipients: readonly (readonly string[])[]): boolean =>
  recipients.length > 0 &&
  recipients.every((forms) => {
    lookUpSources(sources, forms, FOUND)
    const whole = FOUND[0] ?? 0
    if ((whole & (TASK | TRUSTED)) !== 0) return true
    if (whole === 0 || (whole & INSTRUCTED) !== 0) return false
    return forms.some((_, i) => i > 0 && ((FOUND[i] ?? 0) & (TASK | TRUSTED)) !== 0)
  })
