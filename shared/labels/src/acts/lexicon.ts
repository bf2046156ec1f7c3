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

/** Verbs by which a task asks for an act, in the form of an order: `delete`, `please refund`. */
export const ORDER_VERBS: Readonly<Partial<Record<Act, readonly string[]>>> = {
  delete:
    words(`delete remove erase purge wipe drop truncate clear clean uninstall discard trash destroy terminate kill prune empty cancel
    decommission dispose teardown`),
  overwrite: words('overwrite force reset revert rollback rewrite restore amend discard'),
  pay: words(`pay refund transfer wire donate reimburse purchase buy order book reserve subscribe remit withdraw deposit charge settle
    checkout compensate`),
  publish: words('publish post tweet release deploy announce upload launch ship blog'),
  send: words(`send email mail message reply respond forward tell notify inform write text contact remind invite share ask let answer submit request compensate
    report`),
  grant: words('grant invite share give allow permit authorize authorise let assign promote add'),
}

/** What customers say who want their money, or another thing for it: a purchase is undone. */
export const UNDOING: readonly string[] = words('return exchange swap')

/** Nouns for what such verbs do: asked for where a verb such as `make` or `send` goes before them. */
export const ORDER_NOUNS: Readonly<Partial<Record<Act, readonly string[]>>> = {
  delete: words('deletion removal cleanup teardown cancellation'),
  pay: words(`payment refund transfer reservation booking purchase donation payout transaction withdrawal deposit subscription order
    reimbursement exchange`),
  publish: words('publication post release deployment announcement'),
  send: words('email mail message reply notification reminder invitation response answer'),
  grant: words('access permission permissions role invitation invite membership'),
}
export const MAKING: readonly string[] =
  words(`make do send issue process schedule perform create place initiate submit arrange set give write
  prepare handle get want need request`)

/** Verbs that ask for a message unless it is `me` or `us` whom they are about. */
export const SPEAKING_WORDS: readonly string[] = words('tell ask inform let respond reply')
/** Verbs that ask for a message only where it is *to* somebody. */
export const WRITING_WORDS: readonly string[] = words('write report text request submit answer')
/** Verbs that let somebody in only where a sentence names what they are let into. */
export const ADMITTING_WORDS: readonly string[] = words('give add let allow assign promote share')
export const DOORS: readonly string[] =
  words(`access permission permissions role rights member members membership collaborator admin administrator
  owner editor viewer user team group channel workspace organization organisation repository folder file document calendar`)

/** Words before which what follows in the sentence is not asked for. */
export const NEGATIONS: readonly string[] =
  words(`not never no none nothing nobody without dont don't cannot can't won't wouldn't shouldn't mustn't
  isn't aren't wasn't doesn't didn't couldn't needn't neither nor avoid avoiding forbid forbidden prohibit prohibited refuse refrain stop prevent instead
  rather hardly`)
/** Words behind which a clause tells of something, and asks for nothing: `before you delete`, `how to pay`. */
export const NARRATIVE_WORDS: readonly string[] = words(
  'before unless until whether how why who what which whom whose where since because',
)
/** Words with which a question or a look begins; `can you` and `could you` ask for more. */
export const QUESTION_WORDS: readonly string[] = words(
  'who what which when where why how is are was were did does do has have had explain describe translate define compare',
)
/** Words right before an order: `please delete`, `and pay`, `you should send`. */
export const ORDERING: readonly string[] = words(
  `please and then to must you should also or but just now can could will would shall kindly finally first next afterwards immediately let's lets
  so again after it`,
)

/** A task that names one of these, and a change of it, asks for that. */
export const SECRETS: readonly string[] = words(
  'password passwords passphrase passcode credential credentials otp mfa',
)
/** The same where a word of the second row goes before: `api key`. */
export const KEYS: readonly string[] = words('key keys token tokens pin secret secrets')
export const KEYS_OF: readonly string[] = words(
  'api access ssh private secret auth bearer recovery signing encryption security refresh account',
)
export const CHANGES: readonly string[] = words(
  'change update set reset rotate create generate make renew revoke replace add issue rekey',
)

/** What is sent when money is: `send them the difference`, `send back 12 euros`. */
export const MONEY: readonly string[] = words(
  'money amount difference cash euro dollar pound usd eur gbp chf fee deposit balance salary tip fund',
)

/** Words of a tool's name by which it does an act, the most telling act first; a word may be a verb or what is done. */
export const DOING: readonly (readonly [Act, readonly string[]])[] = [
  [
    'delete',
    words(
      'delete remove drop truncate purge wipe destroy erase clear uninstall terminate kill cleanup teardown prune trash empty cancel',
    ),
  ],
  [
    'pay',
    words(`pay payment payout refund transfer charge invoice purchase buy checkout money transaction withdraw wire donate donation order
    subscription remit`),
  ],
  ['grant', words('grant share invite permission access role collaborator acl member owner admin')],
  ['publish', words('publish post tweet release deploy announce gist upload webpage page site')],
  // What is worth money, where nothing of the above is done to it.
  ['pay', words('certificate voucher coupon gift credit')],
  ['send', words('send email mail message reply forward sms dm notify notification webhook submit')],
]

/** Words of a tool's name by which it is about somebody's secrets. */
export const SECRET_NAMES: readonly string[] = words(
  'password passwd passphrase secret credential token otp mfa pin keypair',
)
