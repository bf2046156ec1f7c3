import type { Fingerprint, ReportedGift, ReportedPayee, ReportedSum } from '@plimsoll/contracts'
import type { Fingerprinter } from '../provenance/fingerprinter.js'
import type { Account } from './accounts.js'
import { type GivingStep, giftOf } from './gives.js'
import { NAMES_MAX, payeesOf } from './payees.js'
import type { Sum } from './sums.js'

/** Payees of a text or a result, by fingerprints; no member if it names none. `hints` are those of `moneyHints`, if they are known. */
export function reportPayees(
  fingerprinter: Fingerprinter,
  text: string,
  result?: unknown,
  isTask = false,
  hints?: readonly number[],
): { payees?: ReportedPayee[] } {
  const payees = payeesOf(text, result, isTask, hints).map(({ account, names, sums }) => ({
    ...(account && { account: fingerprintOf(fingerprinter, account) }),
    ...(names.length > 0 && { names: fingerprinter.people(names).slice(0, NAMES_MAX) }),
    ...(sums.length > 0 && { sums: sums.map((sum) => reportSum(fingerprinter, sum)) }),
  }))
  return payees.length > 0 ? { payees } : {}
}

/** Whom a step pays or lets in, by fingerprints; undefined if nobody. */
export function reportGift(fingerprinter: Fingerprinter, step: GivingStep): ReportedGift | undefined {
  const { to, accounts, names, sums, isCut } = giftOf(step)
  if (!isCut && to.length === 0 && accounts.length === 0 && sums.length === 0) return undefined
  return {
    ...(to.length > 0 && { to: fingerprinter.valuesIn(to).slice(0, TO_MAX) }),
    ...(accounts.length > 0 && {
      accounts: accounts.map((account) => fingerprintOf(fingerprinter, account)),
    }),
    ...(names.length > 0 && { names: fingerprinter.people(names) }),
    ...(sums.length > 0 && { sums: sums.map((sum) => reportSum(fingerprinter, sum)) }),
    ...(isCut && { isCut }),
  }
}
const TO_MAX = 24

const fingerprintOf = (fingerprinter: Fingerprinter, { kind, value }: Account): Fingerprint =>
  fingerprinter.named(kind, value)

const reportSum = (fingerprinter: Fingerprinter, { level, currency }: Sum): ReportedSum => ({
  level,
  ...(currency !== undefined && { currency: fingerprinter.named('n', currency) }),
})
