import { longPattern } from '../text/data.js'
import { type ConductSignal, type SignalName, type Signals, CONDUCT_TEXT } from '@plimsoll/contracts'
import { type CommandActs, NO_ACTS, readCommands } from './commands.js'
import { readStems } from './scan-words.js'
import {
  type ConductTextModel,
  type ConductTextScorer,
  type Units,
  type WordOdds,
  ARGUMENT_UNITS_MAX,
  RESULT_UNITS_MAX,
  argumentWords,
  createConductTextScorer,
  resultWords,
  unitsOf,
} from './text-model.js'

/** Reads the conduct of steps and results with one text model. It keeps no state between calls. */
export interface ConductReader {
  readonly step: (step: ConductStep) => Signals
  readonly result: (text: string | Units, isError: boolean) => Signals
  /** What each word of a step adds to the score of its text, in log odds, strongest first. For people. */
  readonly explain: (step: Pick<ConductStep, 'tool' | 'names' | 'text'>) => WordOdds
}

export function createConductReader(model: ConductTextModel): ConductReader {
  const scorer = createConductTextScorer(model)
  return {
    step: (step) => readConduct(step, scorer),
    result: (text, isError) => readResultConduct(text, isError, scorer),
    explain: ({ tool, names, text }) => scorer.explain(tool, names, text),
  }
}

export interface ConductStep {
  readonly tool: string
  /** Names of the arguments. */
  readonly names: readonly string[]
  /** Values of the arguments, one a line. */
  readonly text: string
  /** The code units of `text`, if they were loaded before. */
  readonly units?: Units | undefined
  /** Whether the tool runs a program from its arguments. */
  readonly isProgram: boolean
  /** What the labels say, for tools that run no program. */
  readonly capability: string | undefined
}

/** Signals are eighths; a score moves in quarters between −8 and 8. */
const EIGHTHS = 8
const ODDS_MAX = 8
const ODDS_STEP = 0.25

/**
 * The signals of conduct of a step's arguments: counts of what it does to what it found, and the score of its words. Of a longer text the
 * beginning is read, and `conductLength` is at its highest.
 */
function readConduct(step: ConductStep, scorer: ConductTextScorer): Signals {
  const { tool, names, isProgram, capability } = step
  const text = beginning(step.units ?? step.text, ARGUMENT_UNITS_MAX)
  const signals: Signals = {}
  const runs = isProgram || names.some((name) => PROGRAM_ARGUMENT.test(name))
  const acts = runs ? readCommands(step.text.slice(0, ARGUMENT_UNITS_MAX)) : NO_ACTS
  if (runs) for (const [name, act] of ACTS) put(signals, name, acts[act])
  if (!isProgram && capability === 'read') put(signals, 'conductReads', 1)
  if (!isProgram && capability === 'write') put(signals, 'conductWrites', Math.max(1, acts.writes))
  const { comments, numbers } = countLines(unitsOf(text))
  put(signals, 'conductComments', comments)
  put(signals, 'conductLength', Math.log2(1 + step.text.length / 16))
  put(signals, 'conductNumbers', numbers / 2)
  STEP_COUNTS.fill(0)
  const words = argumentWords(tool, names, text, STEP_STEMS, STEP_COUNTS)
  for (let kind = 0; kind < STEP_COUNTS.length; kind++)
    put(signals, STEP_STEMS.names[kind], STEP_COUNTS[kind] ?? 0)
  signals[CONDUCT_TEXT] = textSignal(scorer.ofArguments(words))
  return signals
}

/** The signals of conduct of a result: by its beginning. */
function readResultConduct(text: string | Units, isError: boolean, scorer: ConductTextScorer): Signals {
  RESULT_COUNTS.fill(0)
  const words = resultWords(beginning(text, RESULT_UNITS_MAX), RESULT_STEMS, RESULT_COUNTS)
  const signals: Signals = {}
  for (let kind = 0; kind < RESULT_COUNTS.length; kind++)
    put(signals, RESULT_STEMS.names[kind], Math.min(1, RESULT_COUNTS[kind] ?? 0))
  if (isError) put(signals, 'conductFails', 1)
  signals[CONDUCT_TEXT] = textSignal(scorer.ofResult(words))
  return signals
}

const ACTS: readonly (readonly [ConductSignal, keyof CommandActs])[] = [
  ['conductReads', 'looks'],
  ['conductInspects', 'inspects'],
  ['conductRuns', 'runs'],
  ['conductWrites', 'writes'],
  ['conductWritesCode', 'writesCode'],
  ['conductWritesLog', 'writesLog'],
  ['conductWritesData', 'writesData'],
  ['conductInline', 'inline'],
  ['conductEdits', 'edits'],
  ['conductRemoves', 'removes'],
  ['conductForces', 'forces'],
]

const PROGRAM_ARGUMENT = longPattern('read-conduct.PROGRAM_ARGUMENT')
const STEP_STEMS = readStems('words')
const RESULT_STEMS = readStems('results')
/** Scratch space without meaning between two calls. */
const STEP_COUNTS = new Int32Array(STEP_STEMS.names.length)
const RESULT_COUNTS = new Int32Array(RESULT_STEMS.names.length)

const HASH = 35
const LAST_DIGIT = 57
const NEWLINE = 10

const beginning = (text: string | Units, max: number): string | Units =>
  typeof text === 'string' ? text.slice(0, max) : { units: text.units, length: Math.min(text.length, max) }

/** Lines that begin with `#`, and numbers that no letter or dot touches. */
function countLines({ units, length }: Units): { readonly comments: number; readonly numbers: number } {
  let comments = 0
  let numbers = 0
  for (let at = 0; at < length; at++) {
    const code = units[at] ?? 0
    // One comparison for letters and blanks alike: two would be mispredicted at each word.
    if ((code - HASH) >>> 0 > LAST_DIGIT - HASH) continue
    if (isDigit(code)) {
      const before = at > 0 ? (units[at - 1] ?? 0) : 0
      if (!isDigit(before) && !isJoined(before)) numbers++
    } else if (code === HASH && isLineStart(units, at)) comments++
  }
  return { comments, numbers }
}

/** Whether only blanks come before on the line. It stops at the `#` before, so the blanks are read once. */
function isLineStart(units: Uint16Array, at: number): boolean {
  let before = at - 1
  while (before >= 0 && (units[before] === SPACE || units[before] === TAB)) before--
  return before < 0 || units[before] === NEWLINE
}

const SPACE = 32
const TAB = 9
const isDigit = (code: number): boolean => code >= 48 && code <= 57
/** A letter, underscore or dot. */
const isJoined = (code: number): boolean =>
  ((code | 32) >= 97 && (code | 32) <= 122) || code === 95 || code === 46

/** Writes a count in eighths; 0 is left out. */
function put(signals: Signals, name: SignalName | undefined, count: number): void {
  if (name && count >= 1) signals[name] = Math.min(Math.floor(count), EIGHTHS) / EIGHTHS
}

/** The score as it leaves the client. */
function textSignal(odds: number): number {
  const quarters = Math.round(Math.max(-ODDS_MAX, Math.min(ODDS_MAX, odds)) / ODDS_STEP)
  return (quarters * ODDS_STEP + ODDS_MAX) / (2 * ODDS_MAX)
}
