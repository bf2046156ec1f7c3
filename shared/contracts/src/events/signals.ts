import { z } from 'zod'
import { ACTS, type Act } from '../words.js'
import { CONDUCT_RESULT_SIGNALS, CONDUCT_SIGNALS, CONDUCT_TEXT_SIGNAL } from './conduct.js'

const argumentSignals = {
  outside:
    'Share of the recipients outside the organisation; 1 for a program that reaches a host outside it.',
  external:
    'The step goes, or may go, outside the organisation: to an address or host, or as access for everyone.',
  strangers: 'A recipient who is not known to belong to the organisation.',
  records: 'The arguments name files or records whose content may leave with the step.',
  takesAll:
    'Puts into files what its arguments do not show: it copies, packs, or takes in files that it does not name.',
  pushes:
    'Besides its arguments it sends what files of the project hold, such as a push: only the session knows what was written there.',
  amount: 'The highest amount of money, on a logarithmic scale.',
  destructive: 'Deletes or overwrites beyond the ordinary: recursive, forced, without a condition.',
  privileged: 'Runs with the rights of an administrator.',
  unnamed:
    'An irreversible act is done to something that the task does not name. The monitor sets it from `effects` (of older clients: `objects`).',
  forbidden:
    'The step changes or does what the task forbids. The monitor sets it from `changes` and `limits`.',
  own: 'All that an irreversible act is done to was made by the session, or lies on a machine that is thrown away after it. The monitor sets it from `effects` (of older clients: `objects`) and `made`.',
  toNamed:
    'All that the step goes to is named by the task, or wrote a message that it says to follow. The monitor sets it from `recipients`.',
  toStranger:
    'Of several that the step goes to one was seen nowhere before, and others were. The monitor sets it from `recipients`.',
  writesFile: 'Changes files that it names, and nothing else.',
  readsFile:
    'Reads or lists files and folders that it names, by the name of the tool or by all of its commands, and writes none: what stands there stays.',
  moves: 'Moves, copies or makes files and folders by their paths, and puts no text of its own into any.',
  message: 'Reads messages of others, by the name of the tool: mails, chats, tickets, comments.',
  payee:
    'Whom the step pays or lets in, or the secret that it sets, stands in text of others only (0.5), or is another account than a trusted result or the task has for the same payee (1). The monitor sets it from `gives` and `payees`.',
  tenfold:
    'The step moves ten times as much as the task names, or the text that names its payee. The monitor sets it from `gives` and `payees`.',
  runsNamed:
    'All of the step that is not understood are programs that the task names. The monitor sets it from `programs`.',
  exposes: 'Writes a text with a secret into a file that is not one of secrets.',
  scripted:
    'Runs a script of the session that does something irreversible which the task does not ask for: 1 if the session wrote it, 0.5 if it read it. The monitor sets it from `runs` and `scripts`.',
  opaque:
    'A link, account or id in the arguments holds a run that cannot be read: it may be anything, unless the session read that value.',
  unreadable: 'A part of the arguments was not understood.',
  load: 'Length of path and query of a URL, as a share of what can carry data out.',
  complete: 'All that the step runs and sends is in its arguments, and was understood.',
  contained:
    'A program that runs where no host outside the organisation can be reached, by what the host declares of the world. What it does that is not understood sends nothing.',
  program: 'The tool runs a program from its arguments: a command line, a query, code.',
  runner: "Runs targets that the project itself defines, such as `make` or its package manager's scripts.",
  byName:
    'Does what a task asks for by naming what it is done to: pipelines, hooks, sources of packages, other hosts.',
  code: 'Writes, or may write, what a later step of the project may run. 0.5: source code that reaches nothing new.',
} as const

/** The signal `code` of source code that reaches nothing new: it counts once instructions were read. */
export const CODE_WITHIN = 0.5

const taskSignals = {
  looksOnly: 'The task asks to look, explain or report, and for nothing else.',
  delegates: 'The task leaves to a text what is to be done: to an issue, a page, a mail.',
  meansMore: 'The task may mean more things than it names: all, every, other, except.',
  taskReach: 'How far the task calls for a tool of the agent that changes something.',
} as const

/** Of a text that reads like instructions. */
const instructionSignals = {
  instructions: 'How far the text reads like instructions to a model.',
  override: 'Orders to drop earlier instructions.',
  authority: 'Claims to come from the user or an administrator.',
  precedence: 'Asks to be done first.',
  toolcall: 'Names tools and arguments.',
  secrecy: 'Asks not to tell or ask the user.',
  delimited: 'Set off by tags, rules or capitals.',
  addressed: 'Speaks to a model or to its reader.',
  urgency: 'Asks to act at once.',
  demand: 'A bare command with what is needed to carry it out.',
  share: 'Share of the text that reads like instructions.',
  length: 'Length of the longest such passage.',
  parts: 'Number of such passages.',
  ending: 'Where the last of them ends, as a share of the text.',
  reach: 'How far such passages call for a tool of the agent that changes something.',
} as const

const contentSignals = {
  secrets: 'Number of secrets, on a logarithmic scale.',
  personal: 'Number of personal data, on a logarithmic scale.',
  partial: 'The fingerprints do not cover the text, so a missing fingerprint proves nothing.',
} as const

type NameOfAct<P extends 'asks' | 'does'> = `${P}${Capitalize<Act>}`

const namesOfActs = <P extends 'asks' | 'does'>(prefix: P) =>
  Object.fromEntries(
    ACTS.map((act) => [act, prefix + act.charAt(0).toUpperCase() + act.slice(1)]),
  ) as Readonly<Record<Act, NameOfAct<P>>>

const NAMES_OF_ACTS = { asks: namesOfActs('asks'), does: namesOfActs('does') } as const

/** The signal for an act that a task asks for or a step does: `asksDelete`, `doesDelete`. */
export const actSignal = <P extends 'asks' | 'does'>(prefix: P, act: Act): NameOfAct<P> =>
  NAMES_OF_ACTS[prefix][act] as NameOfAct<P>

const ofActs = <P extends 'asks' | 'does'>(prefix: P, meaning: string) =>
  Object.fromEntries(ACTS.map((act) => [actSignal(prefix, act), `${meaning} \`${act}\`.`])) as Readonly<
    Record<NameOfAct<P>, string>
  >

/**
 * Every signal of the detectors that run where the text is, with its meaning: shares, probabilities and marks (1 or absent), each 0…1. A
 * new one stands here before anything can write or read it.
 */
export const SIGNALS = {
  ...argumentSignals,
  ...ofActs('does', 'The step does the irreversible act'),
  ...taskSignals,
  ...ofActs('asks', 'The task asks for the irreversible act'),
  ...contentSignals,
  ...instructionSignals,
  ...CONDUCT_SIGNALS,
  ...CONDUCT_RESULT_SIGNALS,
  ...CONDUCT_TEXT_SIGNAL,
} as const
export type SignalName = keyof typeof SIGNALS
export type Signals = Partial<Record<SignalName, number>>

const NAMES: ReadonlySet<string> = new Set(Object.keys(SIGNALS))
export const isSignalName = (name: string): name is SignalName => NAMES.has(name)

/** The signals with known names; the same object if these are all. */
function knownSignals(signals: Record<string, number>): Record<string, number> {
  for (const name in signals)
    if (!NAMES.has(name))
      return Object.fromEntries(Object.entries(signals).filter(([each]) => NAMES.has(each)))
  return signals
}

/**
 * Signals as they arrive. Names that this version does not know are dropped, because another client or an earlier version may have
 * written them; `unknownSignals` finds these names. An object without a known name stays: something was reported.
 */
export const signalsSchema = z
  .record(z.string().regex(/^[a-z][A-Za-z]{0,31}$/), z.number().min(0).max(1))
  .refine((signals) => Object.keys(signals).length <= 64, 'expected at most 64 signals')
  // An overwrite keeps the schema of JSON, which a transform would lose. It cannot say that the names are closed; the type does.
  .overwrite(knownSignals) as unknown as z.ZodType<Signals, Record<string, number>>

const NONE: readonly string[] = []

/** The names that `signalsSchema` drops from an event as it arrived. Never throws. */
export function unknownSignals(event: unknown): readonly string[] {
  if (typeof event !== 'object' || event === null || !('signals' in event)) return NONE
  const { signals } = event
  if (typeof signals !== 'object' || signals === null) return NONE
  let unknown: string[] | undefined
  for (const name in signals) if (!NAMES.has(name)) (unknown ??= []).push(name)
  return unknown ?? NONE
}
