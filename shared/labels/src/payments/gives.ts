import { patternOf, readSet, readTable } from '../text/data.js'
import { knownWordsOf } from '../provenance/values/name-words.js'
import { actOfTool } from '../tools/act-done.js'
import { type Account, accountOf } from './accounts.js'
import { currencyOf, decimalsOf, moneyIn } from './amounts.js'
import { numberOf, withPlainDigits } from './numbers.js'
import { DEPTH_MAX, NAME_CHARS_MAX, formsOf, isAccountName, isNameOfParty } from './payees.js'
import { type Sum, levelOf } from './sums.js'

/** Whom a step pays or lets in, or which secret it sets, as its arguments have it. */
export interface Gift {
  /** Recipients of money, grantees, secrets and keys. */
  readonly to: readonly string[]
  /** Accounts that the step pays to or writes down. */
  readonly accounts: readonly Account[]
  /** The names that its arguments give of those people. */
  readonly names: readonly string[]
  readonly sums: readonly Sum[]
  /** Whether it pays, lets in or sets more than is read, or has arguments that are not. */
  readonly isCut: boolean
}

/** Values of one step, in all and of one kind, and their characters. */
const VALUES_MAX = 256
const KIND_MAX = 8
const CHARS_MAX = 4_096

const OWN = readSet('payments', 'own')
const CUSTOMERS = readSet('payments', 'customers')
const GRANTEES = readSet('payments', 'grantees')
const ORDERS = readSet('payments', 'orders')
const LABELS = readSet('payments', 'amounts')
const TOTALS = readSet('payments', 'totals')
const NO_AMOUNTS = readSet('payments', 'noAmounts')
const QUANTITIES = readSet('payments', 'quantities')
const SMALL_ARGUMENTS = readSet('payments', 'smallArguments')
const SMALL_TOOLS = readSet('payments', 'smallTools')
const SMALL_DESCRIBED = patternOf(readTable<string>('payments', 'smallDescribed'))

/** Words in the names of tools that read what others write to the agent or its user. */
const MESSAGE_TOOLS = readSet('payments', 'messageTools')

/** Whether a tool reads messages, by its name. */
export const readsMessages = (tool: string): boolean =>
  knownWordsOf(tool).some((word) => MESSAGE_TOOLS.has(word))

type Giving = 'pay' | 'grant' | 'credential' | undefined

export interface GivingStep {
  readonly tool: string
  readonly description: string | undefined
  readonly arguments: Readonly<Record<string, unknown>>
}

/** What a step that changes something gives to whom. Never throws: a value that cannot be read gives nothing. */
export function giftOf({ tool, description, arguments: values }: GivingStep): Gift {
  const { words, giving, moves } = toolOf(tool)
  // Most steps move nothing and name no account: they end here.
  if (giving === undefined && !moves && !mayHoldAccount(values, 0)) return NOTHING
  const isSmall =
    words.some((word) => SMALL_TOOLS.has(word)) || SMALL_DESCRIBED.test((description ?? '').slice(0, 2_000))
  // A customer is paid only by a refund.
  const isNameOfPaid = (name: string, parts: readonly string[]): boolean =>
    isNameOfParty(name) && (words.includes('refund') || !parts.some((part) => CUSTOMERS.has(part)))
  // Lists, as most steps give nothing: sets would cost each of them.
  const gift = { to: [] as string[], accounts: [] as Account[], names: [] as string[] }
  const add = (list: string[], text: string): void => void (list.includes(text) || list.push(text))
  let left = VALUES_MAX
  let isCut = false
  const walk = (name: string, value: unknown, depth: number): void => {
    if (--left < 0 || depth > DEPTH_MAX) {
      isCut = true
      return
    }
    if (typeof value === 'object' && value !== null) {
      for (const [key, each] of Object.entries(value))
        walk(Array.isArray(value) ? name : key, each, depth + 1)
      return
    }
    if (typeof value !== 'string' && typeof value !== 'number') return
    // Longer than a name or an account: no more than whom a step gives something.
    if (giving === undefined && typeof value === 'string' && value.length > NAME_CHARS_MAX) return
    const text = withPlainDigits(String(value)).trim()
    if (text === '' || text.length > CHARS_MAX) return
    const parts = knownWordsOf(name)
    if (parts.some((part) => OWN.has(part))) return
    const account = accountOf(text, isAccountName(name) || (moves && GRANTEES.has(parts.at(-1) ?? '')))
    if (account) {
      if (!gift.accounts.some(({ value: other }) => other === account.value)) gift.accounts.push(account)
    } else if (isNameOfPaid(name, parts) && text.length <= NAME_CHARS_MAX)
      for (const form of formsOf(text)) add(gift.names, form)
    if (isTo(giving, parts, account)) add(gift.to, text)
  }
  try {
    walk('', values, 0)
    const sums = moves ? sumsOfArguments(values, isSmall) : []
    return {
      to: gift.to.slice(0, KIND_MAX),
      accounts: gift.accounts.slice(0, KIND_MAX),
      names: gift.names.slice(0, KIND_MAX),
      sums,
      isCut:
        giving !== undefined &&
        (isCut || Math.max(gift.to.length, gift.accounts.length, gift.names.length) > KIND_MAX),
    }
  } catch {
    // A getter or a proxy that throws.
    return { to: [], accounts: [], names: [], sums: [], isCut: giving !== undefined }
  }
}

interface Tool {
  readonly words: readonly string[]
  readonly giving: Giving
  readonly moves: boolean
}

/** Tools come from agents, so only this many are cached. */
const TOOLS_KEPT = 256
const tools = new Map<string, Tool>()

function toolOf(name: string): Tool {
  const known = tools.get(name)
  if (known) return known
  const words = knownWordsOf(name)
  const act = actOfTool(name)
  const giving = act === 'pay' || act === 'grant' || act === 'credential' ? act : undefined
  const made = { words, giving, moves: act === 'pay' || words.some((word) => ORDERS.has(word)) }
  if (tools.size < TOOLS_KEPT && name.length <= NAME_CHARS_MAX) tools.set(name, made)
  return made
}

const NOTHING: Gift = { to: [], accounts: [], names: [], sums: [], isCut: false }

/** Whether a value has the length and a digit of an account, or a name that says so. What cannot be read may. */
function mayHoldAccount(value: unknown, depth: number): boolean {
  if (typeof value === 'string')
    return value.length >= ACCOUNT_MIN && value.length <= ACCOUNT_MAX && hasDigit(value)
  if (typeof value !== 'object' || value === null) return false
  if (depth > DEPTH_MAX) return true
  try {
    for (const key in value) {
      const each = (value as Record<string, unknown>)[key]
      if (mayHoldAccount(each, depth + 1) || (!Array.isArray(value) && isAccountName(key))) return true
    }
  } catch {
    return true
  }
  return false
}

function hasDigit(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code >= 48 && code <= 57) return true
  }
  return false
}

/** Characters of an account that is known by its form. */
const ACCOUNT_MIN = 14
const ACCOUNT_MAX = 80

function isTo(giving: Giving, parts: readonly string[], account: Account | undefined): boolean {
  if (giving === undefined) return false
  if (giving === 'credential') return !GRANTEES.has(parts.at(-1) ?? '')
  return account !== undefined || parts.some((part) => GRANTEES.has(part))
}

interface Money {
  total: number | undefined
  sum: number
  currency: string | undefined
}

/** As much as the arguments move: a total, or all amounts together, as often as they say. */
function sumsOfArguments(values: Readonly<Record<string, unknown>>, isSmall: boolean): Sum[] {
  let left = VALUES_MAX
  const read = (record: object, name: string, depth: number, outer: string | undefined): Money => {
    const money: Money = { total: undefined, sum: 0, currency: currencyIn(record) ?? outer }
    let times = 1
    let inner = 0
    for (const [key, value] of Object.entries(record)) {
      if (--left < 0 || depth > DEPTH_MAX) break
      const parts =
        Array.isArray(record) || /^(?:value|number|units)$/i.test(key)
          ? knownWordsOf(name)
          : knownWordsOf(key)
      if (typeof value === 'object' && value !== null) {
        const within = read(value, Array.isArray(record) ? name : key, depth + 1, money.currency)
        inner += within.total ?? within.sum
        money.currency ??= within.currency
        continue
      }
      if (parts.some((part) => QUANTITIES.has(part))) times = Math.max(1, Number(value) || 1)
      else if (isAmount(parts)) {
        const amount = amountOf(value, { parts, isSmall, currency: money.currency })
        if (amount === undefined) continue
        money.currency ??= amount.currency
        if (parts.some((part) => TOTALS.has(part))) money.total = Math.max(money.total ?? 0, amount.value)
        else money.sum += amount.value
      }
    }
    money.sum = money.sum * times + inner
    return money
  }
  const { total, sum, currency } = read(values, '', 0, undefined)
  const value = total ?? sum
  return value > 0 && Number.isFinite(value) ? [{ level: levelOf(value), currency }] : []
}

const isAmount = (parts: readonly string[]): boolean =>
  parts.some((part) => LABELS.has(part) || SMALL_ARGUMENTS.has(part)) &&
  !parts.some((part) => NO_AMOUNTS.has(part))

/** The currency that a member of its name holds. */
function currencyIn(record: object): string | undefined {
  for (const [name, value] of Object.entries(record))
    if (typeof value === 'string' && value.length <= 12 && knownWordsOf(name).includes('currency'))
      return currencyOf(value.trim()) ?? value.trim().toLowerCase()
  return undefined
}

interface AmountArgument {
  readonly parts: readonly string[]
  readonly isSmall: boolean
  readonly currency: string | undefined
}

function amountOf(
  value: unknown,
  { parts, isSmall, currency }: AmountArgument,
): { readonly value: number; readonly currency: string | undefined } | undefined {
  const read = typeof value === 'number' ? { value: Math.abs(value), currency } : readAmount(value, currency)
  if (!read || !Number.isFinite(read.value) || read.value <= 0) return undefined
  const isInSmall =
    parts.some((part) => SMALL_ARGUMENTS.has(part)) || (isSmall && Number.isInteger(read.value))
  return isInSmall ? { ...read, value: read.value / 10 ** decimalsOf(read.currency) } : read
}

/** `$1,200.50`, `1.000,50 EUR`, `two hundred euros`, `1 000`. */
function readAmount(value: unknown, currency: string | undefined) {
  if (typeof value !== 'string' || value.length > 64) return undefined
  const text = withPlainDigits(value).trim().replace(/^[-+]/, '')
  const [first] = moneyIn(text).amounts
  if (first) return { value: first.value, currency: first.currency ?? currency }
  const plain = /^[\d\s.,'’_\u00a0\u202f]+$/.test(text) ? numberOf(text, decimalsOf(currency)) : undefined
  return plain === undefined ? undefined : { value: plain, currency }
}
