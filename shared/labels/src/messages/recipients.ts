import { longPattern } from '../text/data.js'
import { nameBehindServer } from '@plimsoll/contracts'
import { type ArgumentText, OWN_MAILBOX } from '../provenance/argument-text.js'
import { wordsOfName } from '../tools/words-of.js'
import { formsOfAuthor } from './authors.js'

/** Recipients of a step; those of a step with more are not known. */
const RECIPIENTS_MAX = 8
const RECIPIENT_CHARS_MAX = 256

/**
 * To whom a step goes: for each person or account in an argument for them, the forms in which a task may name it. Undefined if it may go elsewhere
 * too: to a link, to more than eight, or to what stands behind a line break.
 */
export function recipientsOf({
  text,
  leaves,
  cut,
}: ArgumentText): readonly (readonly string[])[] | undefined {
  const recipients: (readonly string[])[] = []
  if (cut) return undefined
  for (const { start, end, letter, isTarget } of leaves) {
    if (!isTarget) continue
    const value = text.slice(start, end)
    if (letter === 'u' || end - start > RECIPIENT_CHARS_MAX || /[\r\n]/.test(value)) return undefined
    const each = /[,;]/.test(value) ? value.split(/[,;]/) : [value]
    for (const one of each) if (one.trim() !== '') recipients.push(formsOfAuthor(one))
  }
  const isKnown = recipients.length > 0 && recipients.length <= RECIPIENTS_MAX
  return isKnown && recipients.every((forms) => forms.length > 0) ? recipients : undefined
}

const MEMBERS_MAX = 32
/** Whom an event reaches beside the user, and what makes it seen by all. */
const REACHES = longPattern('recipients.REACHES')
const CALENDAR = /^calendar_?id$|^calendar$/i

/**
 * Whether a step enters something in the user's own calendar, without attendees: no one else gets what it says.
 *
 * @example isOwnEntry('create_event', { calendar_id: 'primary', summary: 'Delivery 26-0418' }) // true
 */
export function isOwnEntry(tool: string, args: Readonly<Record<string, unknown>>): boolean {
  const words = wordsOfName(nameBehindServer(tool))
  if (!words.includes('event') || !words.some((word) => MAKES.has(word))) return false
  const members = Object.entries(args)
  return (
    members.length <= MEMBERS_MAX &&
    members.every(([name, value]) =>
      CALENDAR.test(name)
        ? value === 'primary' || value === ''
        : name === OWN_MAILBOX || !REACHES.test(name) || isNone(value),
    )
  )
}
const MAKES: ReadonlySet<string> = new Set(['create', 'add', 'update', 'move', 'reschedule'])

const isNone = (value: unknown): boolean =>
  value === null || value === false || value === '' || (Array.isArray(value) && value.length === 0)
