import type { ReportedMessage } from '@plimsoll/contracts'
import { FOLLOWED, INSTRUCTED, SECOND_HAND, TASK, TRUSTED } from '../labels/safety-state.js'
import {
  type Sources,
  LOOKED_UP_MAX,
  addSource,
  firstGroupOf,
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
    known = addSource(known, [...by, ...values.filter(isFile)], SECOND_HAND)
  return {
    sources: known,
    sendsForOther: sendsForOther || followed.some(({ asks }) => asks?.includes('send') === true),
  }
}

/** A message names files at second hand. Whom or what else it names is a stranger's: a message vouches for nobody but its author. */
const isFile = (fingerprint: string): boolean => fingerprint.startsWith('p')

const FOUND = new Uint8Array(LOOKED_UP_MAX)

/**
 * Whether each recipient is named by the task, or wrote the message that it says to follow: as a whole, or by a name of the task where the whole
 * was read outside of what reads like instructions.
 */
export function areNamedRecipients(sources: Sources, recipients: readonly (readonly string[])[]): boolean {
  lookUpSources(sources, recipients.flat(), FOUND)
  let at = 0
  for (const forms of recipients) {
    const whole = FOUND[at] ?? 0
    let isNamed = (whole & (TASK | TRUSTED)) !== 0
    const isRead = whole !== 0 && (whole & INSTRUCTED) === 0
    for (let i = 1; i < forms.length; i++)
      isNamed ||= isRead && ((FOUND[at + i] ?? 0) & TASK) !== 0 && isNameOfTask(sources, forms[i] ?? '')
    if (!isNamed) return false
    at += forms.length
  }
  return recipients.length > 0
}

/** Whether one of several recipients was seen nowhere, in no form of its name, and another was. */
export function hasStranger(sources: Sources, recipients: readonly (readonly string[])[]): boolean {
  if (recipients.length < 2) return false
  lookUpSources(sources, recipients.flat(), FOUND)
  let [at, seen] = [0, 0]
  for (const forms of recipients) {
    if (forms.some((_, i) => (FOUND[at + i] ?? 0) !== 0)) seen += 1
    at += forms.length
  }
  return seen > 0 && seen < recipients.length
}

/** A name, not any word of the task. */
const isNameOfTask = (sources: Sources, form: string): boolean =>
  firstGroupOf(sources, `n${form.slice(1)}`, TASK, true) < Infinity

/** Whether the task names each of `programs`. A task whose list is full may name others too: that does not count here. */
export function areNamedPrograms(sources: Sources, programs: readonly (readonly string[])[]): boolean {
  lookUpSources(sources, programs.flat(), FOUND)
  let at = 0
  for (const names of programs) {
    if (!names.some((_, i) => ((FOUND[at + i] ?? 0) & TASK) !== 0)) return false
    at += names.length
  }
  return programs.length > 0
}
