import { longPattern } from '../text/data.js'
import {
  type CatalogueEntry,
  type Organisation,
  type WhenRule,
  CAPABILITIES,
  matchesGlob,
} from '@plimsoll/contracts'
import {
  type Scalar,
  defaultReadingOf,
  beginsSql,
  isSqlAlone,
  isDeletionFlag,
  valuesOf,
} from '../tools/values.js'
import { type NamedTool, namedTool, readByToolName } from './by-tool-name.js'
import { choosesDeletion, readActingArguments } from './acting-arguments.js'
import { noteFetched, readDestinations, readLinksOfReads } from './destinations.js'
import {
  type Call,
  type Effects,
  createEffects,
  does,
  labelsOf,
  raise,
  signal,
  signalsOf,
  unreadable,
} from './effects.js'
import { noteActs, noteTool } from './limits/names-of-acts.js'
import { readPageScripts } from './page-scripts.js'
import { actsHere, isContained, readWorld } from './world/known-world.js'
import { settleSeen } from './world/seen-files.js'
import { settleLosses } from './world/thrown-away.js'
import { readPatch } from './patch.js'
import { forgetPaths } from './paths.js'
import { readArgument, readTogether } from './readings.js'
import { readScriptPaths } from './scripts-read.js'
import { ownName } from './shell/own-folders.js'
import type { LabelOptions, StepLabelling } from './step-labelling.js'
import { readTypedText } from './typed-text.js'
import { noteRecords } from './records-acted-on.js'
import { isOfServer } from '../tools/entries.js'
import { isProgram } from '../tools/programs.js'
import { programIn, readUnlisted } from './unlisted-programs.js'
import { readValues } from './values/read-values.js'
import { readWrittenFiles } from './written-files.js'

/** Arguments of one call that are read. */
const ARGUMENTS_MAX = 256
/** Longer texts, in characters, count as matching every pattern and as not understood. */
const PATTERN_TEXT_MAX = 4096

/**
 * Labels one call of `tool` by its arguments. Deterministic, linear in their size, never throws. If the entry has `least`, the labels are
 * `least` joined with what each argument shows, or the entry's `labels` if no deciding argument was understood. Without `least` they are
 * the entry's `labels` joined with what the arguments show. Either way, a further dangerous part never lowers a label.
 *
 * @example labelStep('bash', { command: 'ls -la' }, entryOf('bash'), undefined).labels.capability // 'read'
 */
export function labelStep(
  tool: string,
  args: Readonly<Record<string, unknown>>,
  entry: CatalogueEntry | undefined,
  organisation: Organisation | undefined,
  { onError, world, lossAt, mayForbidActs = true }: LabelOptions = {},
): StepLabelling {
  const named = namedTool(tool)
  const kind = world && actsHere(tool, entry, named.deletesFiles)
  const effects = createEffects(kind && readWorld(world, organisation, kind))
  const call = callOf(named, effects, entry, organisation)
  try {
    readArguments(args, entry, call)
    readDestinations(args, listedIn(entry), call)
    readLinksOfReads(args, call, named.resolves)
    readWrittenFiles(args, call, named.creates)
    readScriptPaths(args, entry, effects)
    readPatch(args, call)
    readTogether(call, asksGraph(args))
    readActingArguments(tool, args, call)
    readPageScripts(args, call)
    readValues(tool, args, call)
    readByToolName(named, args, call)
    if (named.saves && entry && readsPublicWeb(entry)) noteFetched(args, call)
    // What is fetched otherwise may stand in the place of what was fetched before. A tool that saves a text writes it.
    if (named.saves && effects.fetched === undefined && fetches(entry)) signal(effects, 'moves', 1)
    readTypedText(tool, args, call)
    if (entry && readsPublicWeb(entry) && call.place === undefined) signal(effects, 'external', 1)
  } catch (error) {
    // A value that throws on access, or a bug in a reader: nothing is known, so the worst labels apply.
    onError?.(error)
    call.understood = false
    unreadable(effects, 'arguments that cannot be read')
  } finally {
    forgetPaths()
  }
  if (mayForbidActs && effects.commands === 0 && entry?.labels.capability !== 'read')
    noteTool(tool, args, effects)
  return labellingOf(tool, args, entry, call, { mayForbidActs, lossAt, onError })
}

/** Whether a request is a query of GraphQL that only reads, by its body. */
function asksGraph(args: Readonly<Record<string, unknown>>): boolean {
  for (const name of Object.keys(args)) if (isGraphQuery(args[name])) return true
  return false
}
const isGraphQuery = (value: unknown): boolean =>
  typeof value === 'string' && value.length <= 16_384 && GRAPH.test(value) && !/\bmutation\b/i.test(value)
const GRAPH = longPattern('label-step.GRAPH')

/** Whether the tool reads public web pages. It then leaves the organisation unless the arguments name a place. */
const readsPublicWeb = ({ labels }: CatalogueEntry): boolean =>
  labels.capability === 'network' && labels.confidentiality === 'public' && labels.trust === 'untrusted'

/** Whether a tool takes what it saves from elsewhere, and not from its arguments. */
const fetches = (entry: CatalogueEntry | undefined): boolean =>
  entry?.labels.capability === 'network' || entry?.labels.capability === 'read'

function labellingOf(
  tool: string,
  args: Readonly<Record<string, unknown>>,
  entry: CatalogueEntry | undefined,
  call: Call,
  { mayForbidActs = true, lossAt, onError }: LabelOptions,
): StepLabelling {
  const { effects } = call
  const derived = entry?.least !== undefined && (call.understood || onlyTemporary(entry, call))
  const base = derived ? entry.least : entry?.labels
  // A network tool sends its arguments; what any other tool runs is known only if its arguments were understood.
  if (base) raise(effects, base, undefined, base.capability === 'network' || call.understood)
  if (derived && !call.understood)
    raise(effects, { ...entry.labels, reversibility: 'reversible' }, 'only temporary files')
  if (!entry) {
    raise(effects, {}, `no catalogue knows \`${tool.slice(0, 64)}\``)
    effects.complete = false
  }
  if (effects.complete && effects.unread.length === 0) signal(effects, 'complete', 1)
  // A networked program that is not understood may reach anyone.
  else if (entry?.labels.capability === 'execute' && effects.capability === NETWORK)
    signal(effects, 'external', 1)
  if (effects.world !== undefined && isContained(effects)) signal(effects, 'contained', 1)
  if (effects.objects.length > 0) settleLosses(effects)
  if (effects.objects.length > 0 || lossAt !== undefined)
    settleSeen(effects, lossAt, !isOfServer(tool, entry))
  if (mayForbidActs) noteActs(effects)
  // What only reads acts on no record.
  const isOfRecords =
    effects.capability > 0 &&
    effects.objects.length === 0 &&
    effects.commands === 0 &&
    effects.signals['unreadable'] === undefined
  if (isOfRecords && !isProgram(entry))
    try {
      noteRecords(tool, args, entry, effects)
    } catch (error) {
      onError?.(error)
      unreadable(effects, 'arguments that cannot be read')
    }
  const {
    reasons,
    objects,
    commands,
    changes,
    claimed,
    edited,
    scripts,
    runs,
    runFiles,
    reads,
    saved,
    fetched,
    shows,
  } = effects
  const files = effects.files ?? []
  const made = effects.made.map(ownName)
  const signals = signalsOf(effects)
  return {
    labels: labelsOf(effects),
    derived,
    reasons,
    signals,
    objects,
    commands,
    changes,
    made,
    claimed,
    edited,
    scripts,
    runs,
    runFiles,
    reads,
    unread: effects.complete ? effects.unread : [],
    saved,
    files,
    fetched,
    shows,
  }
}

const NETWORK = CAPABILITIES.indexOf('network')

/** Whether a tool that only writes files wrote only to temporary folders. */
const onlyTemporary = (entry: CatalogueEntry, call: Call): boolean =>
  entry.labels.capability === 'write' && call.temporary === true

const callOf = (
  { isOfDatabase, saves, clones }: NamedTool,
  effects: Effects,
  entry: CatalogueEntry | undefined,
  organisation: Organisation | undefined,
): Call => ({
  effects,
  organisation,
  worst: entry?.labels,
  isOfDatabase,
  saves,
  clones,
  asked: entry?.least !== undefined || isListed(entry),
  understood: false,
  method: undefined,
  place: undefined,
  urls: [],
  temporary: undefined,
  paths: new Set(),
  outside: 0,
  recipients: 0,
})

function readArguments(
  args: Readonly<Record<string, unknown>>,
  entry: CatalogueEntry | undefined,
  call: Call,
): void {
  if (!isListed(entry)) return readByName(args, call)
  for (const { in: name, as } of entry?.arguments ?? [])
    for (const value of argumentsOf(args, name, call)) readArgument(value, as, call, name)
  readUnlisted(args, entry, call)
  for (const rule of entry?.when ?? [])
    for (const value of argumentsOf(args, rule.in, call)) readWhen(rule, value, call)
}

/** Arguments with a reading in the catalogue. */
function listedIn(entry: CatalogueEntry | undefined): ReadonlySet<string> {
  if (!entry) return NONE
  const known = listed.get(entry)
  if (known) return known
  const made = new Set(entry.arguments?.filter(({ as }) => as !== 'path').map((argument) => argument.in))
  listed.set(entry, made)
  return made
}

const NONE: ReadonlySet<string> = new Set()
const listed = new WeakMap<CatalogueEntry, ReadonlySet<string>>()

const isListed = (entry: CatalogueEntry | undefined): boolean =>
  entry?.arguments !== undefined || entry?.when !== undefined

function readWhen(rule: WhenRule, value: unknown, call: Call): void {
  const { scalars, cut } = valuesOf(value)
  const long = cut || (rule.matches !== undefined && scalars.some(isLong))
  if (long) raiseTooMuch(call)
  if (!long && !scalars.some((scalar) => holds(rule, scalar))) return
  raise(call.effects, rule.labels, `\`${rule.in}\` has a value that the catalogue names`)
  if (!long) call.understood = true
}

/** The values of the argument `name`, or of all arguments for `*`. */
function argumentsOf(args: Readonly<Record<string, unknown>>, name: string, call: Call): unknown[] {
  if (name !== '*') return Object.hasOwn(args, name) ? [args[name]] : []
  const values: unknown[] = []
  for (const key in args) {
    if (values.length >= ARGUMENTS_MAX) {
      raiseTooMuch(call)
      break
    }
    values.push(args[key])
  }
  return values
}

/** Reads nested arguments like top-level ones: `params: { sql }`, `requests: [{ method }]`. */
function readWithin(value: unknown, call: Call, depth: number): void {
  if (typeof value !== 'object' || value === null) return
  for (const member of Array.isArray(value) ? value.slice(0, 16) : [value])
    if (typeof member === 'object' && member !== null && !Array.isArray(member))
      readByName(member as Readonly<Record<string, unknown>>, call, depth)
}

const DEPTH_MAX = 3

function readByName(args: Readonly<Record<string, unknown>>, call: Call, depth = 0): void {
  let count = 0
  for (const name in args) {
    count += 1
    if (count > ARGUMENTS_MAX) return raiseTooMuch(call)
    if (choosesDeletion(name, args[name])) raiseDeletion(call)
    const as = programIn(name, args[name], call) ?? defaultReadingOf(name)
    if (depth < DEPTH_MAX && as === undefined) readWithin(args[name], call, depth + 1)
    if (!as) continue
    const isStatement = as === 'shell' && call.isOfDatabase && beginsSql(args[name])
    if (isStatement || (as === 'sql' && (isSqlAlone(name) || call.isOfDatabase)))
      readArgument(args[name], 'sql', { ...call, asked: true })
    else readArgument(args[name], as, call, name)
    if (as === 'flag' && args[name] === true && isDeletionFlag(name)) raiseDeletion(call)
  }
}

/** Raises the labels to a deletion that an argument asks for, unless the tool only reads. */
function raiseDeletion({ effects, worst }: Call): void {
  if (worst?.capability === 'read') return
  raise(effects, { capability: 'write', reversibility: 'irreversible' }, 'an argument asks for a deletion')
  does(effects, 'delete')
}

function raiseTooMuch({ effects, worst }: Call): void {
  effects.complete = false
  if (worst) raise(effects, worst, 'arguments that are too large to read')
  signal(effects, 'unreadable', 1)
}

const isLong = (scalar: Scalar): boolean => typeof scalar === 'string' && scalar.length > PATTERN_TEXT_MAX

const holds = ({ equals, matches }: WhenRule, scalar: Scalar): boolean =>
  matches === undefined ? scalar === equals : typeof scalar === 'string' && matchesGlob(matches, scalar)
