import type { Action } from './actions.js'
import { FINAL_RULES } from './final-rules.js'
import { type Reading, type Verb, QUERY_CHANGES } from './reading.js'
import { type Rule, MONEY, hasAny, isAbout, isMoney, isWorse } from './rule.js'
import type { Thing } from './things.js'
import { readSet, longPattern } from '../../text/data.js'

/** The action of a tool, from its name, description and schema. */
export interface ToolAction {
  readonly action: Action
  readonly from: Verb['from']
  /** Whether name, description and schema disagree. */
  readonly isDisputed: boolean
  readonly reason: string
}

const PEOPLE = 'somebody and what is known of them'
const MOVES_MONEY = readSet('tools', 'movesMoney')
/** Verbs that imply network access when they look at the web. */
const GOES_OUT = readSet('tools', 'goesOut')

/** Objects that give access: adding to them lets someone in. */
const ACCESS = ['permission', 'access', 'share', 'acl', 'role', 'collaborator']

/** Applied in order; each rule gets the action that the previous one returned. */
const RULES: readonly Rule[] = [
  ({ name, description }, action) =>
    isBrowser(name) &&
    ['flip', 'change', 'look', 'run', 'send'].includes(action) &&
    !hasAny(name, ...PAGE_LOOKS)
      ? action === 'look' && !hasAny(description, 'click', 'fill', 'type', 'press')
        ? undefined
        : { action: 'tell', because: 'acts on a page' }
      : undefined,
  ({ name }, action) =>
    isBrowser(name) && hasAny(name, ...PAGE_LOOKS) && ['tell', 'change'].includes(action)
      ? { action: 'look', because: 'looks at a page' }
      : undefined,
  ({ schema }, action) =>
    schema.chosen && isWorse(schema.chosen.action, action)
      ? {
          action: schema.chosen.action,
          because: `its argument \`${schema.chosen.argument}\` may be \`${schema.chosen.word}\``,
        }
      : undefined,
  ({ opening }, action) =>
    opening &&
    RAISING.has(opening.action) &&
    isWorse(opening.action, action) &&
    // `Send a card to the archive` archives it.
    !(opening.word === 'send' && action === 'flip')
      ? { action: opening.action, because: `the description begins with \`${opening.word}\`` }
      : undefined,
  ({ name }, action) =>
    action === 'send' && hasAny(name, 'port') && hasAny(name, 'forward')
      ? { action: 'tell', because: 'opens a way in' }
      : undefined,
  (reading, action, verb) =>
    action === 'send' && HANDS_OVER.has(verb) && !isMoney(reading) && !hasAny(reading.name, ...CARRIED)
      ? hasAny(reading.name, ...ATTENDANTS)
        ? { action: 'flip', because: 'somebody of the house goes on' }
        : hasAny(reading.name, ...ATTENDED)
          ? { action: 'tell', because: 'others go on with it' }
          : undefined
      : undefined,
  ({ schema, name }, action) =>
    schema.takesProgram === 'command' && ['change', 'flip', 'think'].includes(action) && !hasAny(name, 'app')
      ? { action: 'run', because: 'is given a program' }
      : undefined,
  ({ name, objects, schema }, action) =>
    action !== 'run' &&
    hasAny(name, ...SHELLS) &&
    objects.length === 0 &&
    (schema.takesProgram !== undefined || !schema.hasArguments || !name.includes('sql'))
      ? { action: 'run', because: 'runs what it is given' }
      : undefined,
  ({ name, verb, description }, action) =>
    action === 'run' &&
    hasAny(name, 'query', 'speed') &&
    !hasAny(name, ...SHELLS) &&
    verb?.action !== 'change' &&
    !description.slice(0, OPENING_MAX).some((word) => QUERY_CHANGES.has(word))
      ? { action: 'look', because: 'runs one thing, to look' }
      : undefined,
  ({ name, named }, action) =>
    action === 'think' &&
    hasAny(name, 'complete', 'finish') &&
    (isAbout(named, ...MONEY, 'orders and bookings') || hasAny(name, 'purchase', 'checkout', 'transfer'))
      ? { action: 'send', because: 'money goes' }
      : undefined,
  ({ name }, action, verb) =>
    action === 'change' && verb === 'format' && hasAny(name, 'disk', 'drive', 'partition', 'volume')
      ? { action: 'destroy', because: 'what is on it is gone' }
      : undefined,
  ({ objects, name }, action, verb) =>
    ['change', 'send'].includes(action) &&
    isAbout(objects, ...MONEY) &&
    moves(verb, objects) &&
    !hasAny(name, 'link')
      ? { action: 'send', because: 'money goes' }
      : undefined,
  ({ objects }, _action, verb) =>
    verb === 'cancel' && isAbout(objects, ...MONEY, 'orders and bookings')
      ? { action: 'destroy', because: 'what is cancelled has to be bought again' }
      : undefined,
  ({ objects }, action, verb) =>
    ['change', 'flip'].includes(action) && isAbout(objects, ...MONEY) && verb !== 'draft'
      ? { action: 'tell', because: 'a payment is arranged' }
      : undefined,
  ({ name }, action, verb) =>
    ['change', 'tell', 'flip'].includes(action) && hasAny(name, 'webhook') && MAKES.has(verb)
      ? { action: 'send', because: 'what happens is sent on from now on' }
      : undefined,
  ({ schema }, action) =>
    ['change', 'flip'].includes(action) && schema.forwards
      ? { action: 'tell', because: 'it can pass on to others' }
      : undefined,
  ({ objects }, action, verb) =>
    ['change', 'tell'].includes(action) && COMPLETES.has(verb) && isAbout(objects, ...MONEY)
      ? { action: 'send', because: 'what is due counts from then on' }
      : undefined,
  ({ objects }, action) =>
    action === 'change' && isAbout(objects, 'credentials')
      ? { action: 'destroy', because: 'anyone who sets it has the account' }
      : undefined,
  ({ name }, action) =>
    ['change', 'flip'].includes(action) && hasAny(name, ...ACCESS) && !hasAny(name, 'app')
      ? { action: 'tell', because: 'opens a door to others' }
      : undefined,
  ({ objects }, action) =>
    action === 'change' && objects.length > 0 && objects.every(({ kind }) => kind === SETTINGS)
      ? { action: 'flip', because: 'a setting' }
      : undefined,
  ({ objects, objectsFrom }, action) =>
    action === 'change' && objectsFrom === 'name' && isAbout(objects, 'mail')
      ? { action: 'flip', because: "in one's own mailbox" }
      : undefined,
  ({ name, objects, schema }, action, verb) =>
    action === 'send' &&
    !hasAny(name, 'webhook') &&
    isAbout(objects, 'messages', 'members and channels') &&
    !isPrivate(name) &&
    !schema.reachesPerson &&
    verb !== 'publish'
      ? { action: 'tell', because: 'seen inside, can be deleted' }
      : undefined,
  ({ objects }, action, verb) =>
    action === 'destroy' && isRemovalVerb(verb) && isAbout(objects, 'members and channels')
      ? { action: 'change', because: 'a membership can be given again' }
      : undefined,
  ({ named, name }, action, verb) =>
    action === 'change' &&
    !isRemovalVerb(verb) &&
    !isAbout(named, PEOPLE) &&
    name[0] !== 'git' &&
    named.some(({ remote }) => remote)
      ? { action: 'tell', because: 'others see it' }
      : undefined,
  ({ name }, action) =>
    ['tell', 'change'].includes(action) && hasAny(name, ...PUBLISHED) && hasAny(name, 'create', 'publish')
      ? { action: 'send', because: 'it may be public' }
      : undefined,
  ({ named, schema, name }, action, verb) =>
    action === 'look' &&
    ((schema.takesUrl && !name.includes('link')) || (isAbout(named, 'web pages') && GOES_OUT.has(verb)))
      ? { action: 'browse', because: name.includes('search') ? 'searches the web' : 'fetches from the web' }
      : undefined,
  ({ objects }, action) =>
    action === 'think' &&
    objects.some(({ confidentiality, remote }) => confidentiality !== undefined || remote)
      ? { action: 'look', because: 'asks a service' }
      : undefined,
  ({ schema }, action) =>
    action === 'think' && schema.takesUrl ? { action: 'browse', because: 'is given an address' } : undefined,
  ({ description }, action) =>
    ['change', 'flip'].includes(action) && notifiesOthers(description)
      ? { action: 'tell', because: 'the description speaks of telling others' }
      : undefined,
  ({ description, text }, action) =>
    ['change', 'flip', 'tell'].includes(action) &&
    (hasAny(description, 'permanently', 'irreversible', 'irreversibly', 'irrevocably', 'destructive') ||
      FOR_GOOD.test(text))
      ? {
          action: action === 'tell' ? 'send' : 'destroy',
          because: 'the description says that it is for good',
        }
      : undefined,
]

/** Actions in a description that override a milder name. */
const RAISING: ReadonlySet<Action> = new Set(['destroy', 'run', 'send'])
/** Tools that drive a browser. `PAGE_LOOKS`: words of those that only look at the page. */
const BROWSERS = ['browser', 'puppeteer', 'playwright', 'selenium', 'webdriver', 'chrome']
const PAGE_LOOKS = [...readSet('tools', 'pageLooks')]
const isBrowser = (name: readonly string[]): boolean => hasAny(name, ...BROWSERS)

/** Verbs that hand a matter over, if it is no money; to whom, and what. `CARRIED`: what is sent, and not handed over. */
const HANDS_OVER = readSet('tools', 'handsOver')
const ATTENDANTS = [...readSet('tools', 'attendants')]
const ATTENDED = [...readSet('tools', 'attended')]
const CARRIED = [...readSet('tools', 'carried')]

const FOR_GOOD = longPattern('tool-action.FOR_GOOD')

/** Words of a description that are read for what a query does. */
const OPENING_MAX = 24
const MAKES: ReadonlySet<string> = new Set(['create', 'add', 'register', 'set', 'make', 'update', 'upsert'])
const COMPLETES: ReadonlySet<string> = new Set([
  'finalize',
  'finalise',
  'capture',
  'settle',
  'confirm',
  'submit',
])
const SHELLS = ['psql', 'mysql', 'mongosh', 'bash', 'shell', 'exec', 'execute', 'sql', 'ipython', 'python']
const PUBLISHED = ['repository', 'repo', 'gist', 'release', 'package']
const SETTINGS = 'settings, time, numbers'

/** Whether the tool sends or requests money: `make_payment`, `create_charge`. */
const moves = (verb: string, things: readonly Thing[]): boolean =>
  MOVES_MONEY.has(verb) || (verb === 'create' && isAbout(things, 'money'))

const isPrivate = (name: readonly string[]): boolean =>
  hasAny(name, 'direct', 'dm', 'sms', 'whatsapp', 'telegram', 'text')

const isRemovalVerb = (verb: string): boolean => verb === 'remove' || verb === 'revoke'

/** Matches `sends an email to`, `will also email the participants`, `notifying them`. */
const notifiesOthers = (description: readonly string[]): boolean =>
  hasAny(description, 'notify', 'notifying', 'notification') ||
  (hasAny(description, 'send', 'sent', 'email', 'invite') &&
    hasAny(description, 'participant', 'recipient', 'them', 'everyone'))

/** The tool's action: its verb, refined by the rules. Undefined if no verb is known. */
export function actionOf(reading: Reading): ToolAction | undefined {
  const { verb, schema, opening } = reading
  if (!verb && !schema.takesUrl && !schema.takesProgram && !schema.chosen) return undefined
  const begun: Action = verb?.action ?? (schema.takesProgram ? 'run' : 'look')
  let action = begun
  const reasons = [verb ? `\`${verb.word}\` in its ${verb.from}` : 'no verb']
  for (const rule of [...RULES, ...FINAL_RULES]) {
    const found = rule(reading, action, verb?.word ?? '')
    if (!found || found.action === action) continue
    action = found.action
    reasons.push(found.because)
  }
  const isDisputed =
    (opening !== undefined && isApart(opening.action, begun)) ||
    (schema.chosen !== undefined && isApart(schema.chosen.action, begun)) ||
    (schema.asksToConfirm && !isWorse(action, 'change'))
  return { action, from: verb?.from ?? 'schema', isDisputed, reason: reasons.join(', ') }
}

const LOOKING: ReadonlySet<Action> = new Set(['think', 'look', 'browse'])

/** Whether exactly one of the two only looks. */
const isApart = (a: Action, b: Action): boolean => LOOKING.has(a) !== LOOKING.has(b)
