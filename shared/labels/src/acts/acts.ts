import { ACTS, type Act, type Signals, type ToolLabels } from '@plimsoll/contracts'
import { wordsOf } from '../sources/words-of.js'
import { ASKING, CHANGES, DOING, MONEY, nameOf, SECRET_NAMES, SECRETS } from './lexicon.js'

/** Words of a task that are looked at. */
const WORDS_MAX = 2_000
/** So many words before an act may take it back: `do not send`, `without ever deleting`. */
const NEGATION_REACH = 3

/**
 * The acts that cannot be taken back which a task asks for, as signals (`asksDelete: 1`). English words; a task in another language asks for
 * nothing, and so its irreversible steps are asked about. Linear in the text, of which `WORDS_MAX` words are read.
 *
 * @example actsAsked('Refund order 12 and tell the customer') // { asksPay: 1, asksSend: 1 }
 */
export function actsAsked(task: string): Signals {
  const stems = (task.toLowerCase().match(WORD) ?? []).slice(0, WORDS_MAX).map(stemOf)
  const found = new Set<Act>()
  let [hasSecret, hasChange, hasMoney, isSending] = [false, false, /[€$£]\s?\d|\d\s?[€$£]/.test(task), false]
  for (const [i, stem] of stems.entries()) {
    hasSecret ||= SECRET_STEMS.has(stem)
    hasMoney ||= MONEY_STEMS.has(stem)
    if (isTakenBack(stems, i)) continue
    hasChange ||= CHANGE_STEMS.has(stem)
    isSending ||= stem === SEND || stem === RETURN
    for (const act of ASKED_BY.get(stem) ?? []) found.add(act)
  }
  if (hasSecret && hasChange) found.add('credential')
  if (hasMoney && isSending) found.add('pay')
  return Object.fromEntries(ACTS.filter((act) => found.has(act)).map((act) => [nameOf('asks', act), 1]))
}

/**
 * What an irreversible step does, as a signal (`doesPay: 1`); none for a step that can be taken back or only reads, nor where the reading of
 * its arguments says it. By the words of its tool's name, else by its labels: what reaches out sends, all else deletes. Of a program, whose
 * text says what it does, the name says nothing.
 */
export function actDone(
  { tool, isProgram }: { readonly tool: string; readonly isProgram: boolean },
  { capability, reversibility }: ToolLabels,
  signals: Signals,
): Signals {
  if (isProgram || reversibility !== 'irreversible' || capability === 'read') return {}
  if (ACTS.some((act) => nameOf('does', act) in signals)) return {}
  const act = actOfTool(tool) ?? (capability === 'network' ? 'send' : 'delete')
  return { [nameOf('does', act)]: 1 }
}

const actsOfTools = new Map<string, Act | undefined>()
const TOOLS_KEPT = 4_096

function actOfTool(tool: string): Act | undefined {
  if (actsOfTools.has(tool)) return actsOfTools.get(tool)
  const stems = wordsOf(tool).map(stemOf)
  const act = stems.some((stem) => SECRET_NAME_STEMS.has(stem))
    ? 'credential'
    : DONE_BY.find(([, done]) => stems.some((stem) => done.has(stem)))?.[0]
  if (actsOfTools.size >= TOOLS_KEPT) actsOfTools.clear()
  actsOfTools.set(tool, act)
  return act
}

function isTakenBack(stems: readonly string[], i: number): boolean {
  for (let at = Math.max(0, i - NEGATION_REACH); at < i; at++) if (NEGATIONS.has(stems[at] ?? '')) return true
  return false
}

const WORD = /[a-z]+(?:['’]t)?/g

/** A word without the endings of its forms: `deleting`, `deleted` and `deletes` are one. */
function stemOf(word: string): string {
  const bare = word.replace(/['’]/, '')
  const cut = bare.replace(/(?:ing|ed|es|er|s|e|al)$/, '')
  const stem = cut.length >= 2 ? cut : bare
  return /([b-df-hj-np-tv-z])\1$/.test(stem) && stem.length > 3 ? stem.slice(0, -1) : stem
}

const stems = (list: readonly string[]): ReadonlySet<string> => new Set(list.map(stemOf))
const SECRET_STEMS = stems(SECRETS)
const CHANGE_STEMS = stems(CHANGES)
const MONEY_STEMS = stems(MONEY)
const SECRET_NAME_STEMS = stems(SECRET_NAMES)
const NEGATIONS = stems([
  'not',
  'never',
  'dont',
  "don't",
  'without',
  'no',
  'cannot',
  "won't",
  "shouldn't",
  "mustn't",
])
const [SEND, RETURN] = [stemOf('send'), stemOf('return')]
const DONE_BY = DOING.map(([act, list]) => [act, stems(list)] as const)
const ASKED_BY: ReadonlyMap<string, readonly Act[]> = (() => {
  const byStem = new Map<string, Act[]>()
  for (const act of ACTS)
    for (const stem of stems(ASKING[act])) byStem.set(stem, [...(byStem.get(stem) ?? []), act])
  return byStem
})()
