import type { ReasonSource } from '@plimsoll/contracts'
import type { AppealRow, AppealedCount, StepAppeal } from '../../../src/api.js'
import { lineOf } from '../text/hidden.js'
import { SOURCE_WORDS } from '../text/words.js'

/** What an appeal says, such as `asked for nothing`. */
export function appealWords({ verdict, expected }: Pick<AppealRow, 'verdict' | 'expected'>): string {
  if (expected === 'block') return 'did harm: should have been blocked'
  if (verdict === 'confirm') return 'asked for nothing'
  return verdict === 'block' ? 'blocked for nothing' : 'is right to run'
}

/** Of a step on its session's page. */
export const expectedWords = ({ expected }: Pick<StepAppeal, 'expected'>): string =>
  expected === 'block' ? 'it should have been blocked' : 'it should have run'

/** A reason such as `confirmation:ask-mail`: where it is from, and its code. */
export function reasonParts(name: string): { readonly origin: string; readonly code: string } {
  const at = name.indexOf(':')
  const source = name.slice(0, Math.max(0, at))
  const words = Object.hasOwn(SOURCE_WORDS, source) ? SOURCE_WORDS[source as ReasonSource] : source
  return { origin: lineOf(words, 80), code: lineOf(name.slice(at + 1), 120) }
}

/** What the counts suggest, as a sentence; undefined where they say little. */
export function suggestionFor({ asked, blocked, needless, harmful }: AppealedCount): string | undefined {
  if (harmful > 0 && harmful >= needless)
    return 'Steps ran that did harm: a blocklist spec would stop their like.'
  const stopped = asked + blocked
  if (needless >= 2 && needless * 2 >= stopped)
    return 'Mostly for nothing: an allowlist spec, a label or an effect would end these questions.'
  return undefined
}
