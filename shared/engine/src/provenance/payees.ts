import type { ReportedGift, ReportedPayee, ReportedSum } from '@plimsoll/contracts'
import { INSTRUCTED, SOUGHT, TASK, TRUSTED } from '../labels/safety-state.js'
import { type Sources, LOOKED_UP_MAX, lookUpSources } from './sources.js'

/**
 * What a session has read of people who may be paid, in one bounded text: groups, oldest first, each a mark for who says so and then cells of eight
 * characters. Marks: `T` the task, `R` a trusted result, `U` any other. Cells: at most one account (letters of `ACCOUNT`), names (`n`) and sums
 * (`s`, two characters for the level, five for the currency).
 */
export type Payees = string

export const NO_PAYEES: Payees = ''

const CELL = 8
/** Characters that are kept: about 40 payees. Untrusted ones go first, then those of trusted results. */
const PAYEES_MAX = 2_048
const MARKS = { task: 'T', trusted: 'R', untrusted: 'U' } as const
const ACCOUNT = 'ciu'
const DIGITS = 'abcdefghijklmnopqrstuvwxyz234567'
const NO_CURRENCY = 'aaaaa'

/** `payees` with those of a text of the class `source`; a user's text has the class `TASK`. */
export function addPayees(payees: Payees, reported: readonly ReportedPayee[], source: number): Payees {
  const mark = (source & TASK) !== 0 ? MARKS.task : (source & TRUSTED) !== 0 ? MARKS.trusted : MARKS.untrusted
  let grown = payees
  for (const { account, names = [], sums = [] } of reported) {
    // A letter that no account has would read as another cell.
    if (account !== undefined && !ACCOUNT.includes(account.charAt(0))) continue
    const cells =
      (account ?? '') + names.map((name) => `n${name.slice(1)}`).join('') + sums.map(cellOf).join('')
    if (cells !== '' && !grown.includes(mark + cells)) grown += mark + cells
  }
  return grown.length > PAYEES_MAX ? evict(grown) : grown
}

const cellOf = ({ level, currency }: ReportedSum): string =>
  `s${DIGITS.charAt(level >> 5)}${DIGITS.charAt(level & 31)}${currency?.slice(1, 6) ?? NO_CURRENCY}`

function evict(payees: Payees): Payees {
  let kept = groupsOf(payees)
  let size = payees.length
  for (const mark of [MARKS.untrusted, MARKS.trusted, MARKS.task])
    kept = kept.filter((group) => {
      if (size <= PAYEES_MAX || group.mark !== mark) return true
      size -= group.text.length
      return false
    })
  return kept.map(({ text }) => text).join('')
}

interface Group {
  readonly mark: string
  readonly text: string
  /** Empty if there is none. */
  readonly account: string
  readonly names: readonly string[]
  readonly sums: readonly SumCell[]
}

interface SumCell {
  readonly level: number
  readonly currency: string
}

function groupsOf(payees: Payees): Group[] {
  const groups: Group[] = []
  let at = 0
  while (at < payees.length) {
    const start = at
    const mark = payees.charAt(at++)
    let account = ''
    const names: string[] = []
    const sums: SumCell[] = []
    for (; at < payees.length && !isMark(payees.charAt(at)); at += CELL) {
      const cell = payees.slice(at, at + CELL)
      if (cell.startsWith('n')) names.push(cell)
      else if (cell.startsWith('s')) sums.push(sumOf(cell))
      else account = cell
    }
    groups.push({ mark, text: payees.slice(start, at), account, names, sums })
  }
  return groups
}

const isMark = (character: string): boolean => character === 'T' || character === 'R' || character === 'U'

const sumOf = (cell: string): SumCell => ({
  level: DIGITS.indexOf(cell.charAt(1)) * 32 + DIGITS.indexOf(cell.charAt(2)),
  currency: cell.slice(3),
})

/** Whether `text` could have been written here. */
export const isPayeesText = (text: string): boolean =>
  text.length <= PAYEES_MAX &&
  /^(?:[TRU](?:[ciu][a-z2-7]{7})?(?:n[a-z2-7]{7})*(?:s[a-z2-7]{7})*)*$/.test(text)

/** What is known of a step that gives something away: see `compareGift`. */
export interface GiftFound {
  /** 1: another account than a trusted result or the task has for the payee; 0.5: only messages of others name whom or what, or it gives more than was read. */
  readonly payee: 0 | 0.5 | 1
  readonly isTenfold: boolean
}

const NOTHING_FOUND: GiftFound = { payee: 0, isTenfold: false }
const FOUND = new Uint8Array(LOOKED_UP_MAX)
const NAMED = new Uint8Array(LOOKED_UP_MAX)

/**
 * Compares what a step gives with what the session has read. O(payees).
 *
 * - *Another account*: an account that neither the task nor a trusted result holds, while one of them has another of the same kind for the same
 *   payee: for a name in the step's arguments, or for a name that the task has and that stands beside the new account too.
 *   Where neither the step nor that text names anybody, it is asked about.
 * - *Tenfold*: at least ten times as much as the task names and trusted results that name the payee; where the task names no amount, as the texts
 *   that name the payee. Amounts in other currencies are not compared. Exactly 100 times the only sum that is named is the same in smallest
 *   units, where the step names a currency.
 */
export function compareGift(payees: Payees, sources: Sources, gift: ReportedGift): GiftFound {
  const { to = [], accounts = [], names = [], sums = [], isCut = false } = gift
  const groups = payees === NO_PAYEES ? [] : groupsOf(payees)
  if (groups.length === 0 && to.length === 0 && !isCut) return NOTHING_FOUND
  const isVouched = vouchedBy(groups, sources)
  const strange = accounts.filter((account) => !isVouched(account))
  const other = Math.max(0, ...strange.map((account) => otherAccount(groups, sources, account, names)))
  lookUpSources(sources, to, FOUND)
  const isUntrusted = to.some((_, i) => isOnlyUntrusted(FOUND[i] ?? 0))
  return {
    payee: other === 1 ? 1 : other > 0 || isUntrusted || isCut ? 0.5 : 0,
    isTenfold: sums.some((sum) => isTenfold(groups, { accounts, names }, sum)),
  }
}

/** Whether a value was read, and neither in the task or a trusted result nor where the agent looked it up. */
const isOnlyUntrusted = (bits: number): boolean =>
  bits !== 0 && (bits & (TASK | TRUSTED)) === 0 && ((bits & SOUGHT) === 0 || (bits & INSTRUCTED) !== 0)

const valueOf = (fingerprint: string): string => fingerprint.slice(1)

function vouchedBy(groups: readonly Group[], sources: Sources): (account: string) => boolean {
  return (account) => {
    lookUpSources(sources, [account], FOUND)
    return (
      ((FOUND[0] ?? 0) & (TASK | TRUSTED)) !== 0 ||
      groups.some((group) => group.mark !== MARKS.untrusted && isSame(group.account, account))
    )
  }
}

const isSame = (one: string, other: string): boolean => one !== '' && valueOf(one) === valueOf(other)

/**
 * How an account that nobody vouches for differs: 1 from that of the same payee, 0.5 from that of a payee of the task, where neither the step nor the
 * text that holds it names anybody.
 */
function otherAccount(
  groups: readonly Group[],
  sources: Sources,
  account: string,
  given: readonly string[],
): GiftFound['payee'] {
  const claims = groups.filter((group) => group.mark === MARKS.untrusted && isSame(group.account, account))
  lookUpSources(sources, [account], FOUND)
  // An account that was seen nowhere is no other text's: it asks as such.
  if (claims.length === 0 && FOUND[0] === 0) return 0
  const claimed = claims.flatMap((claim) => claim.names)
  let found: GiftFound['payee'] = 0
  for (const group of groups) {
    if (group.mark === MARKS.untrusted || group.account.charAt(0) !== account.charAt(0)) continue
    if (hasAny(group.names, given)) return 1
    const isNamed = isNamedByTask(groups, sources, group)
    if ((isNamed || group.mark === MARKS.task) && hasAny(group.names, claimed)) return 1
    if (isNamed && claimed.length === 0 && given.length === 0) found = 0.5
  }
  return found
}

function isNamedByTask(groups: readonly Group[], sources: Sources, group: Group): boolean {
  if (group.mark === MARKS.task) return false
  lookUpSources(sources, group.names, NAMED)
  return (
    group.names.some((_, n) => ((NAMED[n] ?? 0) & TASK) !== 0) ||
    groups.some(({ mark, names }) => mark === MARKS.task && hasAny(names, group.names))
  )
}

const hasAny = (names: readonly string[], others: readonly string[]): boolean =>
  names.some((name) => others.some((other) => valueOf(other) === valueOf(name)))

/** Levels of a tenfold, as clients count them. */
const TENFOLD = 32
/** The level of an amount that nothing bounds. */
const NO_BOUND = 1_023

function isTenfold(
  groups: readonly Group[],
  { accounts, names }: { readonly accounts: readonly string[]; readonly names: readonly string[] },
  { level, currency }: ReportedSum,
): boolean {
  const boundOf = (those: readonly Group[]): number =>
    Math.max(-1, ...those.map(({ sums }) => levelIn(sums, currency)))
  const isOfPayee = (group: Group): boolean =>
    accounts.some((account) => isSame(group.account, account)) || hasAny(group.names, names)
  const byTask = boundOf(groups.filter(({ mark }) => mark === MARKS.task))
  const byTrusted = boundOf(groups.filter((group) => group.mark === MARKS.trusted && isOfPayee(group)))
  const bound =
    byTask >= 0
      ? Math.max(byTask, byTrusted)
      : Math.max(
          byTrusted,
          boundOf(groups.filter((group) => group.mark === MARKS.untrusted && isOfPayee(group))),
        )
  if (bound < 0 || bound >= NO_BOUND || level - bound < TENFOLD) return false
  const isInSmallUnits =
    currency !== undefined &&
    level - bound === 2 * TENFOLD &&
    groups.every(({ sums }) => [-1, bound].includes(levelIn(sums, currency)))
  return !isInSmallUnits
}

/** The highest level of sums that can be compared; -1 without one. */
function levelIn(sums: readonly SumCell[], currency: string | undefined): number {
  const wanted = currency?.slice(1, 6)
  const same = sums.filter(
    (sum) => wanted === undefined || sum.currency === NO_CURRENCY || sum.currency === wanted,
  )
  return Math.max(-1, ...same.map(({ level }) => level))
}
