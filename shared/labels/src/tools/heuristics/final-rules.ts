import { readSet } from '../../text/data.js'
import type { Action } from './actions.js'
import { type Rule, hasAny, isMoney } from './rule.js'

const words = (name: string): readonly string[] => [...readSet('tools', name)]

/** What money buys, ways by which it moves, and what is sold again. */
const TRADED = words('traded')
const MOVES = words('moneyMoves')
const ORDERED = words('ordered')
/** What gives access when it is unlocked, and what guards when it is on. */
const DOORS = words('doors')
const GATES = words('gates')
const GUARDS = words('guards')
const TURNS_OFF = readSet('tools', 'turnsOff')
/** A message to many people cannot be explained to each. */
const TO_MANY = ['bulk', 'mass', 'broadcast', 'blast', 'everyone']
/** What a restored copy replaces, and tools that build what others run on. */
const COPIES = words('copies')
const BUILDERS = words('builders')
/** What is chosen for the steps that follow. */
const CHOSEN = words('chosenOnes')
/** Settings that others work with. */
const SHARED = words('sharedThings')
const BOOKS: ReadonlySet<string> = new Set([
  'book',
  'reserve',
  'order',
  'register',
  'subscribe',
  'enroll',
  'create',
])
const CHANGES: ReadonlySet<Action> = new Set(['change', 'tell', 'flip', 'run'])

const TRADES: ReadonlySet<string> = new Set([
  'close',
  'execute',
  'swap',
  'exchange',
  'stake',
  'unstake',
  'mint',
])

const isOrder = (name: readonly string[]): boolean => hasAny(name, 'place', 'submit') && hasAny(name, 'order')

const is = (action: Action, ...of: readonly Action[]): boolean => of.includes(action)

/** What cannot be taken back though its verb alone could be, and the other way round. Applied in order, after the rules of verbs. */
export const FINAL_RULES: readonly Rule[] = [
  ({ name }, action) =>
    is(action, 'tell') && hasAny(name, ...TO_MANY)
      ? { action: 'send', because: 'many people get it' }
      : undefined,
  (reading, action, verb) =>
    CHANGES.has(action) &&
    (isOrder(reading.name)
      ? hasAny(reading.description, ...TRADED) || reading.schema.trades || isMoney(reading)
      : TRADES.has(verb) && hasAny(reading.name, ...TRADED))
      ? { action: 'send', because: 'it is bought or sold' }
      : undefined,
  (reading, action, verb) =>
    is(action, 'change', 'tell') &&
    (verb === 'create' || verb === 'make' || verb === 'initiate') &&
    MOVES.includes(reading.name.at(-1) ?? '') &&
    isMoney(reading)
      ? { action: 'send', because: 'money goes' }
      : undefined,
  ({ name, schema }, action, verb) =>
    is(action, 'change', 'tell') && schema.pays && BOOKS.has(verb) && hasAny(name, ...ORDERED)
      ? { action: 'send', because: 'it is paid for' }
      : undefined,
  ({ name }, action, verb) =>
    is(action, 'change', 'tell') && (verb === 'register' || verb === 'renew') && name.at(-1) === 'domain'
      ? { action: 'send', because: 'it is paid for' }
      : undefined,
  ({ name }, action, verb) =>
    is(action, 'change', 'tell') &&
    (verb === 'make' || verb === 'place' || verb === 'start' || verb === 'create') &&
    hasAny(name, 'call') &&
    !hasAny(name, 'api', 'http', 'tool', 'function', 'log', 'note', 'summary')
      ? { action: 'send', because: 'somebody is called' }
      : undefined,
  ({ name }, action) =>
    CHANGES.has(action) && name.at(-1) === 'live' && !hasAny(name, 'stop', 'end')
      ? { action: 'send', because: 'everybody sees it at once' }
      : undefined,
  ({ name }, action, verb) =>
    is(action, 'change', 'tell') && RESTORES.has(verb) && hasAny(name, ...COPIES)
      ? { action: 'destroy', because: 'what is there now is overwritten' }
      : undefined,
  ({ name, description }, action, verb) =>
    is(action, 'change', 'tell') &&
    verb === 'apply' &&
    (['run', 'plan'].includes(name.at(-1) ?? '') || hasAny([...name, ...description], ...BUILDERS))
      ? { action: 'destroy', because: 'what others run on is changed or replaced' }
      : undefined,
  ({ name }, action) =>
    is(action, 'change', 'flip', 'tell', 'look') &&
    ((hasAny(name, 'unlock') && hasAny(name, ...DOORS)) ||
      (hasAny(name, 'open') && hasAny(name, ...GATES)) ||
      hasAny(name, 'disarm'))
      ? { action: 'destroy', because: 'somebody can come in' }
      : undefined,
  ({ name }, action, verb) =>
    is(action, 'change', 'flip') && (verb === 'unprotect' || (TURNS_OFF.has(verb) && hasAny(name, ...GUARDS)))
      ? { action: 'destroy', because: 'nothing guards it from then on' }
      : undefined,
  ({ name }, action, verb) =>
    action === 'flip' && verb === 'toggle' && hasAny(name, 'protection', 'mfa', '2fa', 'firewall', 'security')
      ? { action: 'change', because: 'what guards it may be off from then on' }
      : undefined,
  ({ name }, action, verb) =>
    action === 'look' && verb === 'log' && name[0] === 'log' && name.length > 1
      ? { action: 'change', because: 'it is noted' }
      : undefined,
  ({ name }, action) =>
    action === 'send' && hasAny(name, 'graphql')
      ? { action: 'tell', because: 'its query shows what is done' }
      : undefined,
  ({ name, named }, action, verb) =>
    action === 'flip' &&
    (verb === 'deactivate' || verb === 'disable') &&
    (hasAny(name, 'account', 'identity', 'login') ||
      named.some(({ tags, kind }) => tags?.includes('pii') || kind === 'members and channels'))
      ? { action: 'change', because: 'somebody is locked out' }
      : undefined,
  ({ name }, action) =>
    is(action, 'look', 'change') &&
    hasAny(name, 'link', 'url') &&
    hasAny(name, 'share', 'shared', 'shareable', 'sharing', 'public')
      ? { action: 'tell', because: 'who has the link can open it' }
      : undefined,
  ({ name }, action, verb) =>
    is(action, 'change', 'tell') && verb === 'merge' && hasAny(name, ...MERGED)
      ? { action: 'destroy', because: 'what was two is one' }
      : undefined,
  ({ name }, action) =>
    action === 'destroy' && hasAny(name, 'cache') && !hasAny(name, 'image', 'all')
      ? { action: 'change', because: 'it is made again' }
      : undefined,
  ({ name }, action, verb) =>
    action === 'change' && CHOOSES.has(verb) && hasAny(name, ...CHOSEN)
      ? { action: 'flip', because: 'a choice for the steps that follow' }
      : undefined,
  ({ name }, action, verb) =>
    action === 'flip' &&
    EDITS.has(verb) &&
    hasAny(name, 'setting', 'config', 'preference') &&
    hasAny(name, ...SHARED)
      ? { action: 'change', because: 'a setting that others work with' }
      : undefined,
  (reading, action, verb) =>
    is(action, 'change', 'tell') &&
    (verb === 'accept' || verb === 'approve') &&
    hasAny(reading.name, ...ACCEPTED)
      ? { action: 'send', because: 'what is due counts from then on' }
      : undefined,
  ({ name }, action, verb) =>
    is(action, 'change', 'tell') && verb === 'approve' && RELEASED.includes(name.at(-1) ?? '')
      ? { action: 'send', because: 'what waits for it runs' }
      : undefined,
  ({ name }, action, verb) =>
    action === 'send' && verb === 'send' && SIGNALS.includes(name.at(-1) ?? '')
      ? { action: 'change', because: 'a program or a device gets it' }
      : undefined,
  ({ name }, action, verb) =>
    action === 'look' && verb === 'resolve' && hasAny(name, ...SETTLED) && !hasAny(name, 'id', 'url', 'path')
      ? { action: 'tell', because: 'it is settled for others too' }
      : undefined,
  ({ name, schema }, action, verb) =>
    is(action, 'think', 'look') &&
    (verb === 'complete' || verb === 'finish') &&
    (schema.namesOne || name.length > 2)
      ? { action: schema.namesOne ? 'flip' : 'change', because: 'something is marked as done' }
      : undefined,
  ({ name, schema, text }, action) =>
    action === 'look' &&
    schema.takesProgram === 'sql' &&
    !hasAny(name, 'read', 'select', 'explain', 'analyze', 'validate', 'schema') &&
    !/\bread[ -]?only\b|\bselect\b/i.test(text)
      ? { action: 'run', because: 'is given SQL' }
      : undefined,
  ({ objects, schema }, action, verb) =>
    action === 'browse' &&
    verb === 'download' &&
    !schema.takesUrl &&
    objects.length > 0 &&
    objects.every(({ confidentiality }) => confidentiality !== 'public')
      ? { action: 'look', because: "one's own" }
      : undefined,
]

const MERGED = words('merged')
const RESTORES: ReadonlySet<string> = new Set(['restore', 'rollback', 'roll', 'revert', 'recover'])
const CHOOSES: ReadonlySet<string> = new Set(['set', 'select', 'switch', 'use', 'change'])
const EDITS: ReadonlySet<string> = new Set([
  'update',
  'set',
  'edit',
  'modify',
  'change',
  'configure',
  'patch',
])
const ACCEPTED = words('accepted')
/** What goes on or goes live once it is approved, and what is sent to no person. */
const RELEASED = words('released')
const SIGNALS = words('signals')
/** What is over once it is resolved. */
const SETTLED = words('settled')
