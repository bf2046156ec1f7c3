import { patternOf, readSet, readTable, longPattern } from '../text/data.js'
import { createTokenScanner } from '../text/tokens.js'
import { TIERS, createCandidates, letterAt } from '../provenance/values/candidates.js'
import { knownWordsOf } from '../provenance/values/name-words.js'
import { findValues } from '../provenance/values/values.js'
import { type Account, type PlacedAccount, accountOf, accountsIn } from './accounts.js'
import { moneyIn } from './amounts.js'
import { withPlainDigits } from './numbers.js'
import { moneyHints } from './hints.js'
import { type Sum, sumsOf } from './sums.js'

/** What a text says of somebody who may be paid. */
export interface Payee {
  readonly account: Account | undefined
  readonly names: readonly string[]
  /** As much as the text names. */
  readonly sums: readonly Sum[]
}

/** Payees of one text, and names of one. Then: characters that are read, JSON values and their depth, and a name. */
export const PAYEES_MAX = 12
export const NAMES_MAX = 5
const TEXT_MAX = 16_384
const VALUES_MAX = 2_048
export const DEPTH_MAX = 8
export const NAME_CHARS_MAX = 80
/** Lines beside an account in which its owner may stand. */
const LINES_BESIDE = 2

const ACCOUNT_NAMES = readSet('payments', 'accountNames')
const NAME_MEMBERS = readSet('payments', 'nameMembers')
const SUFFIXES = readSet('payments', 'suffixes')
const NO_NAMES = readSet('payments', 'noNames')
const PAYS = readSet('payments', 'pays')
const NO_PAYEES = readSet('payments', 'noPayees')
const BANK = patternOf(readTable<string>('payments', 'bank'))
/** Whom a letter addresses, not who is paid: `To:` and its line, `Dear` and up to three words. */
const ADDRESSED = patternOf(readTable<string>('payments', 'addressed'))

/** Whether the name of a member or an argument says that it holds an account. */
export const isAccountName = (name: string): boolean =>
  knownWordsOf(name).some((word) => ACCOUNT_NAMES.has(word))

/** Whether it says that it holds the name of somebody who may be paid: not that of a bank or of who pays. */
export const isNameOfParty = (name: string): boolean => {
  const words = knownWordsOf(name)
  return NAME_MEMBERS.has(words.at(-1) ?? '') && !words.some((word) => NO_PAYEES.has(word))
}

/**
 * Who may be paid, by a text or a result: each account with the names that stand beside it and the amounts of its record or text. A text without an
 * account has one payee without one, if it names an amount; a task always has one, with all of its names. Linear in the text.
 */
export function payeesOf(
  text: string,
  result?: unknown,
  isTask = false,
  hints: readonly number[] = isTask ? [] : moneyHints(text, scan(text)),
): Payee[] {
  const isWhole = isTask || BEYOND_ASCII.test(text.slice(0, TEXT_MAX))
  if (!isWhole && hints.length === 0) return []
  const parts = isWhole ? text : partsAround(text, hints)
  const records = isTask ? [] : recordsOf(result ?? text)
  const found = records.length > 0 ? payeesOfRecords(records) : []
  if (found.length > 0) return found.slice(0, PAYEES_MAX)
  return payeesOfText(parts, isTask).slice(0, PAYEES_MAX)
}

/** Characters around a hint that are read, and at both ends of a text that has one. */
const AROUND = 400
const AT_ENDS = 240

/** The parts of a text that may name an account or an amount, with its beginning and its end. */
function partsAround(text: string, hints: readonly number[]): string {
  const last = Math.min(text.length, TEXT_MAX)
  let [parts, end] = ['', AT_ENDS]
  for (const at of hints) {
    if (at >= last) break
    const from = Math.max(end, at - AROUND)
    const to = Math.min(last, at + AROUND)
    if (to > end) parts += `${from > end ? '\n' : ''}${text.slice(from, to)}`
    end = Math.max(end, to)
  }
  return `${text.slice(0, Math.min(AT_ENDS, last))}${parts}\n${text.slice(Math.max(end, last - AT_ENDS), last)}`
}

/** Digits and words of other scripts have no hints: such a text is read whole. */
const BEYOND_ASCII = longPattern('payees.BEYOND_ASCII')

function payeesOfText(whole: string, isTask: boolean): Payee[] {
  const text = withPlainDigits(whole.slice(0, TEXT_MAX))
  const accounts = accountsIn(text)
  const sums = sumsOf(moneyIn(withoutAccounts(text, accounts)), isTask)
  const all = isTask || (accounts.length === 0 && sums.length > 0) ? namesIn(text, true) : []
  const named = { account: undefined, names: all, sums: accounts.length === 0 ? sums : [] }
  const others = named.sums.length > 0 || all.length > 0 ? [named] : []
  const sender = isTask ? [] : senderOf(text.split('\n'))
  return [
    ...accounts.map((account) => ({
      account,
      names: isTask ? besideIn(text, account, accounts) : ownersOf(text, account, accounts, sender),
      sums,
    })),
    ...others,
  ]
}

/** The digits of an account are no amount. */
function withoutAccounts(text: string, accounts: readonly PlacedAccount[]): string {
  let kept = ''
  let at = 0
  for (const { start, end } of accounts) {
    kept += `${text.slice(at, start)}account`
    at = end
  }
  return kept + text.slice(at)
}

/** The names in the sentence of an account, since the account before. */
function besideIn(text: string, { start, end }: PlacedAccount, accounts: readonly PlacedAccount[]): string[] {
  const [earlier, later] = neighboursOf({ start, end }, accounts, text)
  const head = text.slice(Math.max(text.lastIndexOf('\n', start - 1) + 1, earlier), start)
  const before = namesIn(head.slice(Math.max(...Array.from(ENDS, (end) => head.lastIndexOf(end))) + 1))
  return before.length > 0 ? before : namesIn(text.slice(end, Math.min(endOfLine(text, end), later)))
}
const ENDS = '.!?;'

const neighboursOf = (
  { start, end }: Pick<PlacedAccount, 'start' | 'end'>,
  accounts: readonly PlacedAccount[],
  text: string,
): readonly [earlier: number, later: number] => [
  accounts.findLast((other) => other.end <= start)?.end ?? 0,
  accounts.find((other) => other.start >= end)?.start ?? text.length,
]

/** The same, else the names in the lines beside it. Also who sent the text. */
function ownersOf(
  text: string,
  { start, end, ...account }: PlacedAccount,
  accounts: readonly PlacedAccount[],
  sender: readonly string[],
): string[] {
  const lineStart = text.lastIndexOf('\n', start - 1) + 1
  const lineEnd = endOfLine(text, end)
  const [earlier, later] = neighboursOf({ start, end }, accounts, text)
  const own = besideIn(text, { start, end, ...account }, accounts)
  if (own.length > 0 && accounts.length > 1) return own
  let from = lineStart
  for (let i = 0; i < LINES_BESIDE && from > earlier; i++) from = text.lastIndexOf('\n', from - 2) + 1
  let to = lineEnd
  for (let i = 0; i < LINES_BESIDE && to < later; i++) to = endOfLine(text, to + 1)
  const beside = namesIn(
    `${text.slice(Math.max(from, earlier), start)}\n${text.slice(end, Math.min(to, later))}`,
  )
  return [...new Set([...own, ...beside, ...sender])].slice(0, NAMES_MAX)
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end < 0 ? text.length : end
}

/** Who wrote a letter, by its head: `From: Miller GmbH <billing@miller.example>`. */
function senderOf(lines: readonly string[]): readonly string[] {
  const head = lines.slice(0, 8).find((line) => SENDER.test(line))
  return head === undefined ? [] : namesIn(head.replace(/^[^:：]*[:：]/u, ''))
}

/** Its own: the tokens of the whole text are in use. */
const scan = createTokenScanner()
const candidates = createCandidates()
const ADDRESS = longPattern('payees.ADDRESS')
const LETTERS_OF_OTHERS = longPattern('payees.LETTERS_OF_OTHERS')

/**
 * Names in a passage: of several capitalised words, addresses and their domains, phrases in scripts without capitals. One capitalised word is a
 * name only with `ofOne`, as in German every noun is one.
 */
function namesIn(whole: string, ofOne = false): string[] {
  const passage = whole.replace(ADDRESSED, '')
  const found = new Set<string>()
  for (const [address, domain] of passage.matchAll(ADDRESS)) {
    found.add(address)
    if (domain !== undefined && domain.length > 4) found.add(domain)
  }
  candidates.clear()
  const tokens = scan(passage)
  findValues(passage, tokens, 0, tokens.count, candidates)
  for (let i = 0; i < candidates.count; i++) {
    if (letterAt(candidates, i) !== 'n' || candidates.tier[i] === TIERS.part) continue
    const name = passage.slice(candidates.start[i], candidates.end[i])
    if (ofOne || /\s/.test(name)) addName(found, name)
  }
  if (LETTERS_OF_OTHERS.test(passage))
    for (const phrase of passage.split(/[\n,;:|/()[\]（）：，、。「」]+/u)) addForeign(found, phrase)
  return [...found].slice(0, NAMES_MAX)
}

/** A name without the verbs and nouns of a letter beside it: `Pay Ann Moor`. That of a bank is none. */
function addName(found: Set<string>, text: string): void {
  const words = text.split(/\s+/)
  const first = words.findIndex((word) => !isCommon(word))
  if (first < 0 || words.slice(first).some((word) => BANK.test(word))) return
  const last = words.findLastIndex((word) => !isCommon(word))
  const name = words.slice(first, last + 1).join(' ')
  if (/\d/.test(name) || words.slice(first, last + 1).every((word) => SUFFIXES.has(word.toLowerCase())))
    return
  for (const form of formsOf(name)) found.add(form)
}

const isCommon = (word: string): boolean =>
  NO_NAMES.has(word.toLowerCase()) || PAYS.has(word.toLowerCase()) || isLabel(word.toLowerCase())

/** A phrase without the words that call an account or an amount so. */
function addForeign(found: Set<string>, text: string): void {
  const words = text.trim().split(/\s+/)
  const phrase = words.filter((word) => !isLabel(word.toLowerCase()) && !/\d/.test(word)).join(' ')
  if (phrase.length >= 2 && phrase.length <= 40 && LETTERS_OF_OTHERS.test(phrase)) found.add(phrase)
}

const LABELS = [
  readSet('payments', 'accountLabels'),
  readSet('payments', 'amounts'),
  readSet('payments', 'totals'),
]
const isLabel = (word: string): boolean => LABELS.some((labels) => labels.has(word))

/** A name, and without the legal form of a company: `Miller GmbH` is also `Miller`. */
export function formsOf(name: string): string[] {
  const whole = name.trim().slice(0, NAME_CHARS_MAX)
  const words = whole.split(/\s+/)
  const last = (words.at(-1) ?? '').toLowerCase().replaceAll(/[.,]/g, '')
  return words.length > 1 && SUFFIXES.has(last) ? [whole, words.slice(0, -1).join(' ')] : [whole]
}

interface PayeeRecord {
  readonly accounts: readonly Account[]
  readonly names: readonly string[]
  readonly text: string
}

/** The records of a result that hold an account: objects of JSON, with the names of those in which they stand. */
function recordsOf(result: unknown): PayeeRecord[] {
  const found: PayeeRecord[] = []
  let left = VALUES_MAX
  const walk = (value: unknown, outer: readonly string[], depth: number): void => {
    if (typeof value !== 'object' || value === null || depth > DEPTH_MAX) return
    if (Array.isArray(value)) {
      for (const each of value) if (--left > 0) walk(each, outer, depth + 1)
      return
    }
    const accounts: Account[] = []
    const names: string[] = []
    const lines: string[] = []
    for (const [name, each] of Object.entries(value)) {
      if (--left <= 0) return
      if (typeof each === 'object') continue
      const text = withPlainDigits(String(each))
      const account = accountOf(text, isAccountName(name))
      if (account) accounts.push(account)
      else {
        lines.push(`${knownWordsOf(name).join(' ')}: ${text.slice(0, 512)}`)
        if (isNameOfParty(name) && text.length <= NAME_CHARS_MAX && /\p{L}/u.test(text))
          names.push(...formsOf(text))
      }
    }
    const all = [...new Set([...names, ...(names.length > 0 ? [] : outer)])].slice(0, NAMES_MAX)
    if (accounts.length > 0) found.push({ accounts, names: all, text: lines.join('\n') })
    for (const each of Object.values(value)) walk(each, all, depth + 1)
  }
  try {
    walk(typeof result === 'string' ? parsed(result) : result, [], 0)
  } catch {
    // A getter or a proxy that throws: what was found before counts.
  }
  return found
}

function parsed(text: string): unknown {
  if (text.length > 4 * TEXT_MAX || !/^\s*[[{]/.test(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const payeesOfRecords = (records: readonly PayeeRecord[]): Payee[] =>
  records.flatMap(({ accounts, names, text }) => {
    const sums = sumsOf(moneyIn(text))
    return accounts.map((account) => ({ account, names, sums }))
  })

const SENDER = longPattern('payees.SENDER')
