import type { ArgumentText } from '../provenance/argument-text.js'
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
