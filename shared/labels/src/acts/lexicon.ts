import { ACTS, type Act, type Signals } from '@plimsoll/contracts'

/** The signal by which a task or a step is reported to ask for or to do `act`: `asksDelete`, `doesDelete`. */
export const nameOf = (prefix: 'asks' | 'does', act: Act): string =>
  prefix + act.charAt(0).toUpperCase() + act.slice(1)

/** The acts that signals say a task asks for. */
export const actsIn = (signals: Signals = {}): Act[] =>
  ACTS.filter((act) => (signals[nameOf('asks', act)] ?? 0) > 0)

/** The signals that say so; undefined where there is none to say. */
export const signalsOfActs = (acts: readonly Act[] = []): Signals | undefined =>
  acts.length === 0 ? undefined : Object.fromEntries(acts.map((act) => [nameOf('asks', act), 1]))

const words = (text: string): readonly string[] => text.trim().split(/\s+/)

/** Verbs, and nouns for what they do, by which a task asks for an act. All are stems: `stemOf` of a word is looked up. */
export const ASKING: Readonly<Record<Act, readonly string[]>> = {
  delete:
    words(`delete deletion remove removal erase purge wipe drop truncate clear clean cleanup uninstall discard trash destroy terminate kill prune
    teardown empty cancel decommission`),
  overwrite: words('overwrite force reset revert rollback rewrite restore amend discard'),
  pay: words(`pay payment refund transfer wire donate reimburse purchase buy order book reserve checkout subscribe subscription remit bill rent invoice
    charge payout transaction withdraw deposit`),
  publish: words('publish publication post tweet release deploy deployment announce upload launch ship blog'),
  send: words(`send email mail message reply respond forward tell notify notification inform write text contact remind invite share ask let answer
    submit request report`),
  grant: words(
    'grant invite share give allow permit permission access authorize authorise role assign promote add member collaborator',
  ),
  credential: [],
}

/** Words that ask for a message unless it is `me` or `us` whom they are about. */
export const SPEAKING_WORDS: readonly string[] = words('tell ask inform let answer respond reply')
/** Words that ask for a message only where it is *to* somebody. */
export const WRITING_WORDS: readonly string[] = words('write report text request submit')

/** Of a task that names one of these and a change of it, that is what it asks for. */
export const SECRETS: readonly string[] = words(
  'password passwords passphrase secret credential token key pin otp login signin',
)
export const CHANGES: readonly string[] = words(
  'change update set reset rotate create generate make renew revoke replace new add issue rekey',
)

/** What is sent when money is: `send them the difference`, `send back 12 euros`. */
export const MONEY: readonly string[] = words(
  'money amount difference cash euro dollar pound usd eur gbp chf fee deposit balance salary tip fund',
)

/** Words of a tool's name by which it does an act, the most telling act first; a word may be a verb or what is done. */
export const DOING: readonly (readonly [Act, readonly string[]])[] = [
  [
    'pay',
    words(`pay payment payout refund transfer charge invoice purchase buy checkout money transaction withdraw wire donate donation order
    subscription remit`),
  ],
  [
    'delete',
    words(
      'delete remove drop truncate purge wipe destroy erase clear uninstall terminate kill cleanup teardown prune trash empty cancel',
    ),
  ],
  ['grant', words('grant share invite permission access role collaborator acl member owner admin')],
  ['publish', words('publish post tweet release deploy announce gist upload webpage page site')],
  ['send', words('send email mail message reply forward sms dm notify notification webhook submit')],
]

/** Words of a tool's name by which it is about somebody's secrets. */
export const SECRET_NAMES: readonly string[] = words(
  'password passwd passphrase secret credential token otp mfa pin keypair',
)
