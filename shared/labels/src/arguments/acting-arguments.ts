import { longPattern } from '../text/data.js'
import { keptByName } from '../text/kept.js'
import { actionOfVerb } from '../tools/heuristics/actions.js'
import { isReadByName } from '../tools/by-name.js'
import { valuesOf } from '../tools/values.js'
import { wordsOf } from '../tools/words-of.js'
import { type Call, does, raise } from './effects.js'

/** Arguments of one call that are read, and the longest name and value, in characters. */
const ARGUMENTS_MAX = 256
const NAME_MAX = 64
const VALUE_MAX = 256

/** Flags that delete, whatever the tool does without them. `include_deleted` does not. */
const DELETES = longPattern('acting-arguments.DELETES')
/** Flags of agents' shells by which a command runs outside their sandbox. */
const LEAVES_SANDBOX = longPattern('acting-arguments.LEAVES_SANDBOX')
/** Flags by which a tool does in earnest what it only looks at or works out without them. */
const IN_EARNEST = longPattern('acting-arguments.IN_EARNEST')
/** Arguments that choose what is done, and choices that take a protection away. */
const CHOOSES = longPattern('acting-arguments.CHOOSES')
const DISARMS = longPattern('acting-arguments.DISARMS')
/** Arguments that hold new values of a record, and members that say what somebody may do. */
const NEW_VALUES = longPattern('acting-arguments.NEW_VALUES')
const RIGHTS = longPattern('acting-arguments.RIGHTS')
/** Flags that show something to everybody. */
const OPENS = longPattern('acting-arguments.OPENS')
/** Flags by which any tool hands in or sends what it else prepares. */
const HANDS_IN = longPattern('acting-arguments.HANDS_IN')
/** Flags that make somebody an owner. */
const RAISES = longPattern('acting-arguments.RAISES')
const SHARES = longPattern('acting-arguments.SHARES')
/** Tools whose `public` text is for whom it answers, and no door. */
const ANSWERS = longPattern('acting-arguments.ANSWERS')
/** Arguments that say which records a change is about. */
const SELECTS = longPattern('acting-arguments.SELECTS')
/** A selection of every record. */
const EVERY = longPattern('acting-arguments.EVERY')
const TARGET = longPattern('acting-arguments.TARGET')

/**
 * Records acts that an argument shows whatever the tool is called, also if it only reads without them: a flag that deletes, shows to everybody or leaves
 * a sandbox, a selection of every record, a file that is moved to nowhere. Linear in the arguments.
 */
export function readActingArguments(tool: string, args: Readonly<Record<string, unknown>>, call: Call): void {
  const { effects, worst, method } = call
  if (method === 'GET' || method === 'HEAD') return
  const onlyReads = worst === undefined || worst.capability === 'read'
  let left = ARGUMENTS_MAX
  for (const name in args) {
    if ((left -= 1) < 0) return
    const says = sayingOf(name)
    if (says === undefined) continue
    const value = args[name]
    if (typeof value === 'string' && value.length > VALUE_MAX) continue
    // A tool that is no catalogue's, or that only reads by its entry.
    if (onlyReads && readsInEarnest(says, value, tool, call)) continue
    if (value === true && says.leavesSandbox) {
      raise(
        effects,
        { capability: 'execute', reversibility: 'irreversible' },
        'it leaves the sandbox of the agent',
      )
      does(effects, 'grant')
    } else if (value === true && says.deletes) {
      raise(
        effects,
        { capability: 'write', reversibility: 'irreversible' },
        'an argument asks for a deletion',
      )
      does(effects, 'delete')
    } else if (value === true && says.opens && mayOpen(tool, call)) {
      raise(effects, { capability: 'write', reversibility: 'irreversible' }, 'an argument lets everybody in')
      does(effects, 'grant')
    } else if (onlyReads) continue
    else if (value === true && says.handsIn) {
      raise(effects, { reversibility: 'irreversible' }, 'an argument makes it earnest')
      does(effects, 'publish')
    } else if (value === true && says.raises) {
      raise(effects, { reversibility: 'irreversible' }, 'an argument gives access')
      does(effects, 'grant')
    } else if (typeof value !== 'string') continue
    else if (says.chooses && DISARMS.test(value)) {
      raise(effects, { reversibility: 'irreversible' }, 'an argument takes a protection away')
      does(effects, 'grant')
    } else if (says.selects && EVERY.test(value)) {
      raise(effects, { reversibility: 'irreversible' }, 'every record is changed')
      does(effects, 'delete')
    } else if (says.isTarget && value === '/dev/null') {
      raise(effects, { reversibility: 'irreversible' }, 'a file is moved to nowhere')
      does(effects, 'delete')
    }
  }
}

/** What the name of an argument says of what its value may do. */
interface Saying {
  readonly leavesSandbox: boolean
  readonly deletes: boolean
  readonly inEarnest: boolean
  readonly opens: boolean
  readonly handsIn: boolean
  readonly raises: boolean
  readonly chooses: boolean
  readonly newValues: boolean
  readonly selects: boolean
  readonly isTarget: boolean
}

/** Undefined for the names of most arguments, and for very long ones. */
const sayingOf = keptByName((name): Saying | undefined => {
  if (name.length > NAME_MAX) return undefined
  const says: Saying = {
    leavesSandbox: LEAVES_SANDBOX.test(name),
    deletes: DELETES.test(name),
    inEarnest: IN_EARNEST.test(name),
    opens: OPENS.test(name),
    handsIn: HANDS_IN.test(name),
    raises: RAISES.test(name),
    chooses: CHOOSES.test(name),
    newValues: NEW_VALUES.test(name),
    selects: SELECTS.test(name),
    isTarget: TARGET.test(name),
  }
  return Object.values(says).includes(true) ? says : undefined
})

/** Whether a flag of the tool may show something to everybody: `public` of a tool that lists is a filter. */
const mayOpen = (tool: string, { worst }: Call): boolean =>
  !ANSWERS.test(tool.slice(0, 200)) &&
  ((worst !== undefined && worst.capability !== 'read') || SHARES.test(tool.slice(0, 200)))

/** Records what an argument makes of a tool that only looks by its name. Returns whether it does. */
function readsInEarnest(says: Saying, value: unknown, tool: string, { effects }: Call): boolean {
  if (value === true && says.inEarnest && isReadByName(tool)) {
    raise(effects, { capability: 'write', reversibility: 'irreversible' }, 'an argument makes it earnest')
    does(effects, 'publish')
  } else if (typeof value === 'string' && says.chooses && DISARMS.test(value)) {
    raise(
      effects,
      { capability: 'write', reversibility: 'irreversible' },
      'an argument takes a protection away',
    )
    does(effects, 'grant')
  } else if (says.newValues && givesRights(value)) {
    raise(
      effects,
      { capability: 'write', reversibility: 'irreversible' },
      'an argument gives somebody rights',
    )
    does(effects, 'grant')
  } else return false
  return true
}

function givesRights(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  return Object.keys(value)
    .slice(0, 64)
    .some((name) => name.length <= NAME_MAX && RIGHTS.test(name))
}

/** Arguments that choose the operation: `operation: delete`. */
const CHOOSING = longPattern('acting-arguments.CHOOSING')
const CHOICE_MAX = 64

const isChoice = keptByName((name) => name.length <= CHOICE_MAX && CHOOSING.test(name))

/** Whether an argument chooses an operation that deletes. */
export function choosesDeletion(name: string, value: unknown): boolean {
  if (!isChoice(name)) return false
  const { scalars } = valuesOf(value)
  return scalars.slice(0, 16).some(
    (choice) =>
      typeof choice === 'string' &&
      choice.length <= CHOICE_MAX &&
      // A value with spaces is a command line and read as such.
      !/\s/.test(choice) &&
      wordsOf(choice).some((word) => actionOfVerb(word) === 'destroy'),
  )
}
