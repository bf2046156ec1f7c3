import { ACTS, type Act, type Signals, type ToolLabels } from '@plimsoll/contracts'
import { wordsOf } from '../sources/words-of.js'
import {
  ASKING,
  CHANGES,
  DOING,
  MONEY,
  nameOf,
  SECRET_NAMES,
  SECRETS,
  SPEAKING_WORDS,
  WRITING_WORDS,
} from './lexicon.js'

/** Words of a task that are looked at. */
const WORDS_MAX = 2_000
/** So many words before an act may take it back: `do not send`, `without ever deleting`. */
const NEGATION_REACH = 3
/** So many words before `removed` may `want` stand. */
const WISH_REACH = 5
/** So many words behind `write` or `report` may the `to` stand. */
const ADDRESS_REACH = 6

/**
 * The acts that cannot be taken back which a task asks for, as signals (`asksDelete: 1`). English words; a task in another language asks for
 * nothing, and so its irreversible steps are asked about. Linear in the text, of which `WORDS_MAX` words are read.
 *
 * @example actsAsked('Refund order 12 and tell the customer') // { asksPay: 1, asksSend: 1 }
 */
export function actsAsked(task: string): Signals {
  const words = (task.toLowerCase().match(WORD) ?? []).slice(0, WORDS_MAX)
  const stems = words.map(stemOf)
  const found = new Set<Act>()
  let [hasSecret, hasChange, hasMoney, isSending] = [false, false, /[€$£]\s?\d|\d\s?[€$£]/.test(task), false]
  for (const [i, stem] of stems.entries()) {
    hasSecret ||= SECRET_STEMS.has(stem)
    hasMoney ||= MONEY_STEMS.has(stem)
    if (isTakenBack(stems, i) || isPast(words, i)) continue
    hasChange ||= CHANGE_STEMS.has(stem)
    isSending ||= stem === SEND || stem === RETURN
    for (const act of ASKED_BY.get(stem) ?? []) if (act !== 'send' || isToOthers(stems, i)) found.add(act)
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

/** `the deleted users` and `who was invited` tell of what was done; `I want it removed` asks for it. */
const isPast = (words: readonly string[], i: number): boolean =>
  PAST.test(words[i] ?? '') && !words.slice(Math.max(0, i - WISH_REACH), i).some((word) => WISHES.has(word))

/**
 * Whether what the word at `i` asks for goes to others: `tell me` and `let us know` ask for an answer, `write a test` and `report what you find`
 * for work. Such words ask for a message where somebody is named behind `to`.
 */
function isToOthers(stems: readonly string[], i: number): boolean {
  const stem = stems[i] ?? ''
  if (SPEAKING.has(stem)) return !stems.slice(i + 1, i + 3).some((word) => word === 'me' || word === 'us')
  if (!WRITING.has(stem)) return true
  const behind = stems.slice(i + 1, i + 2 + ADDRESS_REACH)
  const whom = behind[behind.indexOf('to') + 1]
  return behind.includes('to') && whom !== undefined && whom !== 'me' && whom !== 'us'
}

const PAST = /[a-z]{3}ed$/
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
const WISHES: ReadonlySet<string> = new Set(['want', 'need', 'needs', 'get', 'have', 'should', 'must', 'please'])
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
const SPEAKING = stems(SPEAKING_WORDS)
const WRITING = stems(WRITING_WORDS)
const [SEND, RETURN] = [stemOf('send'), stemOf('return')]
const DONE_BY = DOING.map(([act, list]) => [act, stems(list)] as const)
const ASKED_BY: ReadonlyMap<string, readonly Act[]> = (() => {
  const byStem = new Map<string, Act[]>()
  for (const act of ACTS)
    for (const stem of stems(ASKING[act])) byStem.set(stem, [...(byStem.get(stem) ?? []), act])
  return byStem
})()
