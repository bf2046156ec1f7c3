import { readSet, longPattern } from '../text/data.js'

/**
 * How an account is written: an IBAN, a number, a wallet. A payee may have one of each kind, so only those of the same kind are compared. The
 * letters are those of fingerprints.
 */
export type AccountKind = 'c' | 'i' | 'u'

export interface Account {
  readonly kind: AccountKind
  readonly value: string
}

/** An account in a text, at `[start, end)`. */
export interface PlacedAccount extends Account {
  readonly start: number
  readonly end: number
}

/** Accounts of one text. */
const ACCOUNTS_MAX = 32
const IBAN_MIN = 15
const IBAN_MAX = 34
/** Characters before an account in which it is called one. */
const LABEL_MAX = 28

const LABELS = readSet('payments', 'accountLabels')

const IBAN = longPattern('accounts.IBAN')
const WALLET = longPattern('accounts.WALLET')
const NUMBER = /^\d[\d\s-]{4,30}\d$/

const compact = (text: string): string => text.replaceAll(/[\s.-]/g, '').toUpperCase()

/** The account that a value is, where its name says that it holds one, or where it can be nothing else. */
export function accountOf(value: string, isNamed: boolean): Account | undefined {
  const plain = value.trim()
  if (plain.length > 64) return undefined
  const solid = compact(plain)
  if (IBAN.test(solid) && (isNamed || isIban(solid))) return { kind: 'c', value: solid }
  if (WALLET.test(plain)) return { kind: 'u', value: plain }
  return isNamed && NUMBER.test(plain) ? { kind: 'i', value: solid } : undefined
}

/** Whether the check digits of an IBAN are right: an order number seldom is one by chance. */
function isIban(solid: string): boolean {
  if (solid.length < IBAN_MIN || solid.length > IBAN_MAX) return false
  let rest = 0
  for (const character of solid.slice(4) + solid.slice(0, 4)) {
    const value = Number.parseInt(character, 36)
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97
  }
  return rest === 1
}

/** What may be an account: an IBAN in groups or not, a wallet, or six digits and more. */
const CANDIDATE = longPattern('accounts.CANDIDATE')

/**
 * The accounts in a text: IBANs whose check digits are right, wallets, and numbers that are called an account right before. Linear in the text.
 *
 * @param text with the digits of every script as ASCII
 */
export function accountsIn(text: string): PlacedAccount[] {
  const found: PlacedAccount[] = []
  for (const { 0: value, index: start } of text.matchAll(CANDIDATE)) {
    if (found.length >= ACCOUNTS_MAX) break
    const account = longestAccount(value, isCalledAccount(text, start))
    if (account) found.push({ ...account, start, end: start + account.size })
  }
  return found
}

/** The longest beginning that is an account: a short word behind an IBAN looks like its last group. */
function longestAccount(value: string, isCalled: boolean): (Account & { readonly size: number }) | undefined {
  for (let rest = value; rest !== ''; rest = rest.slice(0, Math.max(rest.lastIndexOf(' '), 0))) {
    const account = accountOf(rest, false) ?? (isCalled ? accountOf(rest, true) : undefined)
    if (account) return { ...account, size: rest.length }
  }
  return undefined
}

function isCalledAccount(text: string, start: number): boolean {
  // Another number between has the label.
  const [before = ''] = /\D*$/.exec(text.slice(Math.max(0, start - LABEL_MAX), start).toLowerCase()) ?? []
  const words = before.match(/[\p{L}/]+/gu) ?? []
  return words
    .slice(-2)
    .some((word) => LABELS.has(word) || LABELS.has(word.replace(/(?:nummer|number|no|nr)$/, '')))
}
