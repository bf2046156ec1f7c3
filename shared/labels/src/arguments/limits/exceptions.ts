import { patternOf, readTable, longPattern } from '../../text/data.js'

/** What an order is not about: *all branches except main*, *the reports but not those of 2024*. */
const EXCEPTION = patternOf(readTable<string>('limits', 'exceptions'))
/** An order to clean up or to close, which says no act. */
const CLEANS = longPattern('exceptions.CLEANS')
/** *Delete the branches, keep main*. */
const KEPT = longPattern('exceptions.KEPT')
/** *I will send it later*. */
const BY_USER_LATER = longPattern('exceptions.BY_USER_LATER')

/** A sentence apart from what its orders are not about. */
export function withoutExceptions(sentence: string): { excepted: string[]; rest: string } {
  const excepted = [...sentence.matchAll(EXCEPTION)].map(([, object = '']) => object)
  return { excepted, rest: excepted.length > 0 ? sentence.replaceAll(EXCEPTION, ' ') : sentence }
}

/** What a clause behind an order keeps; empty if nothing. */
export const keptIn = (clause: string): string => KEPT.exec(clause)?.[1] ?? ''

/** Whether a sentence orders to clean up or to close, which says no act. */
export const cleansUp = (sentence: string): boolean => CLEANS.test(sentence)

/** The verb of what the user will do later; empty if a sentence says nothing of the kind. */
export function doneLater(sentence: string): string {
  const [, later, then = ''] = BY_USER_LATER.exec(sentence) ?? []
  return later ?? then
}

/** *Unless I say so*. */
const UNLESS_ASKED = patternOf(readTable<string>('limits', 'unlessAsked'))
/** A condition; *unless I say so* is none. */
export const isCondition = (clause: string): boolean =>
  CONDITION.test(clause) || (/\bunless\b/i.test(clause) && !UNLESS_ASKED.test(clause))

/** Whether a text orders a draft that the user looks at before it goes out: *draft an answer, i look over it*. */
export const isReviewed = (text: string): boolean => DRAFTS.test(text) && REVIEWS.test(text)
const DRAFTS = longPattern('exceptions.DRAFTS')
const REVIEWS = longPattern('exceptions.REVIEWS')

const CONDITION = longPattern('exceptions.CONDITION')
