import type { Reason, Verdict } from '@plimsoll/contracts'
import { ESCALATIONS } from '../../labels/words.js'
import type { IntegrityStep } from './integrity.js'

const WRITE = ESCALATIONS.indexOf('file_write')

/**
 * Who vouches for whom a step pays or lets in, for the secret that it sets, and for the amount. Source: docs/decisions/20261129-who-vouches.md.
 *
 * - *another account* than the task or a trusted result has for the payee: blocked until the user names the new one;
 * - *ten times the amount* that the task or the text of the payee names;
 * - *only messages of others* name the payee, the grantee or the secret, whatever the task asks for.
 *
 * The monitor compares; here are its signals `payee` and `tenfold`. O(1).
 */
export function paymentReasons({ labels, signals, rules }: IntegrityStep): readonly Reason[] {
  const { integrity } = rules
  if (!integrity || !signals || labels.escalation < WRITE) return NONE
  const { payee = 0, tenfold = 0 } = signals
  if (payee === 0 && tenfold === 0) return NONE
  const reasons: Reason[] = []
  if (payee === 1) add(reasons, 'account_conflicts', integrity.irreversible, OTHER_ACCOUNT)
  else if (payee > 0) add(reasons, 'given_by_others', integrity.instructed, BY_MESSAGE)
  if (tenfold > 0) add(reasons, 'amount_multiplied', integrity.instructed, TENFOLD)
  return reasons
}

const NONE: readonly Reason[] = Object.freeze([])

function add(reasons: Reason[], code: string, verdict: Verdict, message: string): void {
  if (verdict !== 'allow') reasons.push({ source: 'integrity', code, verdict, message })
}

const OTHER_ACCOUNT =
  'this step uses another account than the task or a trusted result has for the same payee, and only untrusted text names it'
const TENFOLD = 'this step moves at least ten times as much as the task or the text that names the payee'
const BY_MESSAGE =
  'only text of others names whom this step pays or lets in, or the secret that it sets; or it gives more than is read'
