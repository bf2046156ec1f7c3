import { type Act, type Signals, type ToolLabels, ACTS, actSignal } from '@plimsoll/contracts'
import { type Words, readSet, readTable, wordsIn, longPattern } from '../text/data.js'
import { keptByName } from '../text/kept.js'
import { wordsOf } from './words-of.js'

/**
 * The irreversible act of a step, as a signal (`doesPay: 1`), added to the signals of its arguments. Steps that only read or are
 * reversible have none; partly reversible payments, grants and changes of secrets do. The words of the tool's name decide, else its
 * labels: a network tool sends, any other deletes. A program's text shows its acts, so its name is ignored.
 */
export function actDone(
  { tool, isProgram }: { readonly tool: string; readonly isProgram: boolean },
  { capability, reversibility }: ToolLabels,
  signals: Signals,
): Signals {
  if (isProgram || capability === 'read' || reversibility === 'reversible') return NONE
  const named = actOfTool(tool)
  const isReported = DOES.some((name) => signals[name] !== undefined)
  const act =
    reversibility === 'irreversible' && !isReported
      ? (named ?? (capability === 'network' ? 'send' : 'delete'))
      : named
  if (!act || (reversibility === 'partial' && !isAlways(tool, act))) return NONE
  return { [actSignal('does', act)]: 1 }
}

const NONE: Signals = Object.freeze({})
const DOES = ACTS.map((act) => actSignal('does', act))

/** Acts that count even if they are partly reversible: money sent, secrets changed, access granted. An order can be cancelled. */
const isAlways = (tool: string, act: Act): boolean =>
  act === 'grant' || act === 'credential' || (act === 'pay' && PAYS_AT_ONCE.test(tool.slice(0, 200)))
const PAYS_AT_ONCE = longPattern('act-done.PAYS_AT_ONCE')

/** The irreversible act that a tool's name shows, whatever its labels. */
export const actOfTool = keptByName((tool: string): Act | undefined => {
  const words = wordsOf(tool)
  const stems = words.map(stemOf)
  const byName = DONE_BY.find(([, done]) => stems.some((stem) => done.has(stem)))?.[0]
  const isOfKey = byName === undefined && words.some((word, i) => word === 'key' && isBeforeKey(words[i - 1]))
  return isOfKey || stems.some((stem) => SECRET_NAME_STEMS.has(stem)) ? 'credential' : byName
})

/** Cuts the ending of a word: `deleting`, `deleted` and `deletes` share one stem. */
export function stemOf(word: string): string {
  const bare = word.replace(/['’]/, '')
  const cut = bare.replace(/(?:ing|ed|es|er|s|e|al)$/, '')
  const stem = cut.length >= 2 ? cut : bare
  return /([b-df-hj-np-tv-z])\1$/.test(stem) && stem.length > 3 ? stem.slice(0, -1) : stem
}

const stems = (list: Words): ReadonlySet<string> => new Set(wordsIn(list).map(stemOf))
/** Words in a tool's name that refer to secrets. */
const SECRET_NAME_STEMS = stems(readTable('acts', 'secretNames'))
/** Words before `key` that make it a secret: `add_ssh_key`. */
const BEFORE_KEYS = readSet('acts', 'beforeKeys')
const isBeforeKey = (word = ''): boolean => BEFORE_KEYS.has(word)
/** Verbs and objects in a tool's name, by the act that they show; the first matching row wins. */
const DONE_BY = readTable<readonly (readonly [Act, Words])[]>('acts', 'toolActs').map(
  ([act, list]) => [act, stems(list)] as const,
)
