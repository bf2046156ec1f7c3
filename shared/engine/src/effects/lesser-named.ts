import type { EventOf } from '@plimsoll/contracts'
import { areAllNamed } from '../provenance/named.js'
import { type Sources, LOOKED_UP_MAX, lookUpSources } from '../provenance/sources.js'
import { TASK } from '../labels/safety-state.js'

type Effects = NonNullable<EventOf<'step.proposed'>['effects']>

const FOUND = new Uint8Array(LOOKED_UP_MAX)

/**
 * Of each effect whether the task names its object, without those that it names only by what they share with another object of the
 * step: *delete the bucket parcelo-tmp* names `parcelo-tmp`, and not `parcelo-labels` beside it. A task may name several things in
 * different words. O(fingerprints + effects² × names).
 */
export function withoutLesserNamed(
  named: readonly boolean[],
  sources: Sources,
  effects: Effects,
): readonly boolean[] {
  if (named.filter((each) => each).length < 2 || areAllNamed(sources)) return named
  const words = effects.map(({ names = [] }, i) =>
    named[i] === true ? namedIn(sources, names) : new Set<string>(),
  )
  return named.map((isNamed, i) => {
    const own = words[i] ?? new Set<string>()
    return (
      isNamed &&
      !effects.some((each, j) => j !== i && isLike(each, effects[i]) && isLess(own, words[j] ?? new Set()))
    )
  })
}

type Each = Effects[number]

const isLike = (one: Each, other: Each | undefined): boolean =>
  (one.act === 'delete' || one.act === 'stop') &&
  // Rows of several tables may be those of one thing.
  one.object !== 'table' &&
  one.act === other?.act &&
  one.object === other.object &&
  one.reach === other.reach

/** The fingerprints that the task has, without their kinds; those of words begin with a mark. */
function namedIn(sources: Sources, names: readonly string[]): ReadonlySet<string> {
  lookUpSources(sources, names, FOUND)
  return new Set(
    names.flatMap((name, i) =>
      ((FOUND[i] ?? 0) & TASK) === 0 ? [] : `${isWord(names, i) ? MARK : ''}${name.slice(1)}`,
    ),
  )
}
const WORD = 'w'
/** No fingerprint has it. */
const MARK = '='
/** A name of letters alone is reported as a word, and then as it stands. */
const isWord = (names: readonly string[], i: number): boolean =>
  names[i]?.startsWith(WORD) === true || names[i - 1]?.startsWith(WORD) === true

/** Whether the others have all of `words` and a whole name besides, which is more than a word. */
const isLess = (words: ReadonlySet<string>, others: ReadonlySet<string>): boolean =>
  [...words].every((word) => others.has(word)) &&
  [...others].some((word) => !word.startsWith(MARK) && !words.has(word))
