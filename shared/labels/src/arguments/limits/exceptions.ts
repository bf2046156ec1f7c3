import { patternOf, readTable, longPattern } from '../../text/data.js'

/** What an order is not about: *all branches except main*, *the reports but not those of 2024*. */
const EXCEPTION = patternOf(readTable<string>('limits', 'exceptions'))
/** An order to clean up, which says no act. */
const CLEANS = /^\W{0,8}(?:please\s)?(?:clean|tidy|prune|sweep|clear)\b/i
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

/** Whether a sentence orders to clean up, which says no act. */
export const cleansUp = (sentence: string): boolean => CLEANS.test(sentence)

/** The verb of what the user will do later; empty if a sentence says nothing of the kind. */
export const doneLater = (sentence: string): string => BY_USER_LATER.exec(sentence)?.[1] ?? ''

/** *Unless I say so*. */
const UNLESS_ASKED = patternOf(readTable<string>('limits', 'unlessAsked'))
/** A condition; *unless I say so* is none. */
export const isCondition = (clause: string): boolean =>
  /\b(?:if|when|whenever|except|in case|while|because)\b/i.test(clause) ||
  (/\bunless\b/i.test(clause) && !UNLESS_ASKED.test(clause))
