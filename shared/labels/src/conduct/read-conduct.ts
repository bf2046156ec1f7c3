import { type ConductSignal, type Signals, CONDUCT_TEXT } from '@plimsoll/contracts'
import { type CommandActs, NO_ACTS, readCommands } from './commands.js'
import { readStems } from './scan-words.js'
import {
  type ConductTextModel,
  type ConductTextScorer,
  type WordOdds,
  ARGUMENT_UNITS_MAX,
  RESULT_UNITS_MAX,
  argumentWords,
  createConductTextScorer,
  resultWords,
} from './text-model.js'

/** Reads the conduct of steps and results with one text model. It keeps no state between calls. */
export interface ConductReader {
  readonly step: (step: ConductStep) => Signals
  readonly result: (text: string, isError: boolean) => Signals
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
  const text = step.text.slice(0, ARGUMENT_UNITS_MAX)
  const signals: Record<string, number> = {}
  const acts = isProgram || names.some((name) => PROGRAM_ARGUMENT.test(name)) ? readCommands(text) : NO_ACTS
  for (const [name, act] of ACTS) put(signals, name, acts[act])
  if (!isProgram && capability === 'read') put(signals, 'conductReads', 1)
  if (!isProgram && capability === 'write') put(signals, 'conductWrites', Math.max(1, acts.writes))
  const { comments, numbers } = countLines(text)
  put(signals, 'conductComments', comments)
  put(signals, 'conductLength', Math.log2(1 + step.text.length / 16))
  put(signals, 'conductNumbers', numbers / 2)
  STEP_COUNTS.fill(0)
  const words = argumentWords(tool, names, text, STEP_STEMS, STEP_COUNTS)
  for (const [kind, name] of STEP_STEMS.names.entries()) put(signals, name, STEP_COUNTS[kind] ?? 0)
  signals[CONDUCT_TEXT] = textSignal(scorer.ofArguments(words))
  return signals
}

/** The signals of conduct of a result: by its beginning. */
function readResultConduct(text: string, isError: boolean, scorer: ConductTextScorer): Signals {
  RESULT_COUNTS.fill(0)
  const words = resultWords(text.slice(0, RESULT_UNITS_MAX), RESULT_STEMS, RESULT_COUNTS)
  const signals: Record<string, number> = {}
  for (const [kind, name] of RESULT_STEMS.names.entries())
    put(signals, name, Math.min(1, RESULT_COUNTS[kind] ?? 0))
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

const PROGRAM_ARGUMENT = /^(?:command|cmd|code|script|bash)$/i
const STEP_STEMS = readStems('words')
const RESULT_STEMS = readStems('results')
/** Scratch space without meaning between two calls. */
const STEP_COUNTS = new Int32Array(STEP_STEMS.names.length)
const RESULT_COUNTS = new Int32Array(RESULT_STEMS.names.length)

const HASH = 35
const NEWLINE = 10

/** Lines that begin with `#`, and numbers that no letter or dot touches. */
function countLines(text: string): { readonly comments: number; readonly numbers: number } {
  let comments = 0
  let numbers = 0
  let isLineStart = true
  let before = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === HASH && isLineStart) comments++
    if (isDigit(code) && !isDigit(before) && !isJoined(before)) numbers++
    if (code === NEWLINE) isLineStart = true
    else if (code !== SPACE && code !== TAB) isLineStart = false
    before = code
  }
  return { comments, numbers }
}

const SPACE = 32
const TAB = 9
const isDigit = (code: number): boolean => code >= 48 && code <= 57
/** A letter, underscore or dot. */
const isJoined = (code: number): boolean =>
  (code | 32) >= 97 && (code | 32) <= 122 ? true : code === 95 || code === 46

/** Writes a count in eighths; 0 is left out. */
function put(signals: Record<string, number>, name: string, count: number): void {
  if (count >= 1) signals[name] = Math.min(Math.floor(count), EIGHTHS) / EIGHTHS
}

/** The score as it leaves the client. */
function textSignal(odds: number): number {
  const quarters = Math.round(Math.max(-ODDS_MAX, Math.min(ODDS_MAX, odds)) / ODDS_STEP)
  return (quarters * ODDS_STEP + ODDS_MAX) / (2 * ODDS_MAX)
}
