import { rename, rm, stat, writeFile } from 'node:fs/promises'
import { setImmediate } from 'node:timers/promises'
import {
  type Bundle,
  type Catalogue,
  type Documents,
  PlimsollError,
  bundleSchema,
  canonicalJson,
  versionOf,
} from '@plimsoll/contracts'
import {
  type ConductTextModel,
  type Labeller,
  type Observer,
  OBSERVER_PARTS,
  createLabeller,
  proposeLabels,
  shippedInstructionModel,
} from '@plimsoll/labels'
import { compileRules, defaultDocuments } from '@plimsoll/policy'
import { type FitOptions, fit } from '../fit/chain/fit.js'
import { type FlowBundleOptions, type FlowPhase, fitFlowBundle } from './flow-bundle.js'
import { type ReadProgress, areReadAgain, readTraces, stoppable } from '../corpus/read-traces.js'
import { type ToolLists, readToolLists } from '../corpus/blind.js'
import type { Corpus } from '../corpus/corpus.js'
import { type SessionTable, tabulateSessions } from '../fit/features/session-table.js'
import { type ReportParts, type Stage, type TextModels, evaluationObserver } from '../corpus/play.js'
import { isHeldOutAbout, readRecordings } from '../corpus/recording.js'
import {
  type ConductSample,
  createConductCorpus,
  fitConductText,
  fitConductTextApart,
} from '../fit/conduct/conduct-text.js'
import type { Trace } from '../corpus/trace.js'
import { playedSessions } from '../fit/flow/collected.js'
import { type FlowOptions, FLOW_OPTIONS } from '../fit/flow/fit-flow.js'

/**
 * Writes a file so that it is there whole or as it was before, whenever the process ends: beside it first, and then in its place. What is
 * no file, as /dev/stdout, is written to as it is.
 *
 * @throws PlimsollError `usage_invalid` where it cannot be written
 */
export async function writeWhole(file: string, text: string): Promise<void> {
  const partial = `${file}.${process.pid}.partial`
  try {
    if (!(await isReplaceable(file))) return await writeFile(file, text)
    await writeFile(partial, text)
    await rename(partial, file)
  } catch (cause) {
    await rm(partial, { force: true })
    throw new PlimsollError('usage_invalid', `\`${file}\` cannot be written`, { cause })
  }
}

async function isReplaceable(file: string): Promise<boolean> {
  const found = await stat(file).catch(() => undefined)
  return found === undefined || found.isFile()
}

export interface FitFromFilesOptions extends Omit<FitOptions, 'traces' | 'labelOf' | 'catalogueVersion'> {
  /** Recorded sessions, `.jsonl` or `.jsonl.gz`, in the order in which they are read. */
  readonly files: readonly string[]
  readonly catalogue: Catalogue
  /** The version that the bundle names; by default that of `catalogue`. */
  readonly catalogueVersion?: string
  /** See `FlowFromFilesOptions`. */
  readonly isOfShippedText?: boolean
  /** Where to write the bundle; nowhere if left out. */
  readonly out?: string
  readonly onProgress?: (progress: ReadProgress) => void
  /** In the space `flow`: what is done once all sessions are read. */
  readonly onPhase?: (phase: FlowPhase) => void
  /** Gives up, and rejects with its reason: between two sessions, or before the bundle is written. */
  readonly signal?: AbortSignal
}

/**
 * Fits a bundle to files of recorded sessions, and writes it.
 *
 * @returns the bundle and its version, the hash it is pinned by
 * @throws PlimsollError `traces_invalid`, naming file and line; `usage_invalid` where `out` cannot be written, or the target
 *   is not one of the space
 * @example await fitFromFiles({ files: ['sessions.jsonl.gz'], catalogue, target: 'observed', space: 'paper60' })
 */
export async function fitFromFiles(
  options: FitFromFilesOptions,
): Promise<{ bundle: Bundle; version: string }> {
  const { out, signal } = options
  const bundle = await (options.space === 'flow' ? fitFlow(options) : fitChain(options))
  // Growing trees does not yield: a signal that came meanwhile takes effect here.
  await setImmediate()
  signal?.throwIfAborted()
  if (out !== undefined) await writeWhole(out, bundleText(bundle))
  return { bundle, version: versionOf(bundle) }
}

async function fitChain(options: FitFromFilesOptions): Promise<Bundle> {
  const {
    files,
    catalogue,
    catalogueVersion = versionOf(catalogue),
    out: _out,
    isOfShippedText: _isOfShippedText,
    onProgress,
    signal,
    ...settings
  } = options
  const descriptions = new Map<string, string | undefined>()
  const traces = describing(readTraces(files, onProgress), await readToolLists(files), descriptions)
  return fit({
    ...settings,
    traces: stoppable(traces, signal),
    labelOf: proposingLabeller(catalogue, descriptions),
    catalogueVersion,
  })
}

/** Descriptions that are kept at most. */
const DESCRIPTIONS_MAX = 4096

/** The traces; what is said of each tool when it first comes goes into `descriptions`. */
async function* describing(
  traces: AsyncIterable<Trace>,
  { describe }: ToolLists,
  descriptions: Map<string, string | undefined>,
): AsyncGenerator<Trace> {
  for await (const trace of traces) {
    for (const { tool } of trace.steps)
      if (!descriptions.has(tool) && descriptions.size < DESCRIPTIONS_MAX)
        descriptions.set(tool, trace.tools_ref ? describe(trace.tools_ref, tool) : undefined)
    yield trace
  }
}

/** The labels of the catalogue; of a tool that it does not list, those that `plimsoll label` proposes, without review. */
function proposingLabeller(
  catalogue: Catalogue,
  descriptions: ReadonlyMap<string, string | undefined>,
): Labeller {
  const listed = createLabeller(catalogue)
  return (name) => {
    const known = listed(name)
    if (known) return known
    const description = descriptions.get(name)
    return proposeLabels([{ name, ...(description !== undefined && { description }) }]).labellings[0]?.labels
  }
}

async function fitFlow(options: FitFromFilesOptions): Promise<Bundle> {
  const { files, catalogue, catalogueVersion, name, target, budget, onProgress, onPhase, signal } = options
  if (target !== 'observed')
    throw new PlimsollError('usage_invalid', '`--space flow` needs `--target observed`')
  return fitFlowFromFiles({
    files,
    documents: { ...(await defaultDocuments()), catalogue },
    ...(catalogueVersion !== undefined && { catalogueVersion }),
    ...(name !== undefined && { name }),
    ...(options.isOfShippedText && { isOfShippedText: true }),
    ...(budget !== undefined && { budget }),
    ...(onProgress && { onRead: onProgress }),
    ...(onPhase && { onPhase }),
    ...(signal && { signal }),
  })
}

/** A bundle as its file holds it: canonical JSON on one line. */
export const bundleText = (bundle: Bundle): string => `${canonicalJson(bundle)}\n`

/** What a labels-only client does not report: everything but tool names. */
export const LABELS_ONLY = OBSERVER_PARTS

/** Scorers of labels alone see a handful of numbers that take few values each: few and small trees say all of it. */
export const LABELS_ONLY_OPTIONS: FlowOptions = {
  hazard: { ...FLOW_OPTIONS.hazard, trees: 30, depth: 3, learningRate: 0.2 },
  session: { ...FLOW_OPTIONS.session, trees: 30, depth: 3, learningRate: 0.2, featureShare: 1 },
}

/** `bundle`, which judges sessions whose clients tell of nothing by the model in `labels`, fitted to the same sessions as such clients tell of them. */
export function withLabelsOnly(bundle: Bundle, labels: Bundle): Bundle {
  const { space, aggregate, categories, flow, origin } = labels
  return bundleSchema.parse({
    ...bundle,
    labelsOnly: { space, aggregate, categories, flow },
    origin: {
      ...bundle.origin,
      labelsOnly: {
        notes: ['the same sessions, with the names of tools only'],
        scorers: origin['scorers'],
        thresholds: origin['thresholds'],
      },
    },
  })
}

export interface FlowFromFilesOptions {
  readonly files: readonly string[]
  /** The catalogue that labels, and rules under which sessions are played: those of any bundle do. */
  readonly documents: Documents
  /** See `FitFromFilesOptions`. */
  readonly catalogueVersion?: string
  readonly name?: string
  readonly models?: TextModels
  /** How far reading has come; sessions are played as they are read. */
  readonly onRead?: (progress: ReadProgress) => void
  readonly onPhase?: FlowBundleOptions['onPhase']
  readonly signal?: AbortSignal
  /**
   * Whether the text model of conduct that ships was fitted to these files: what is fitted here then sees each session by a model that has
   * not seen it.
   */
  readonly isOfShippedText?: boolean
  /** See `FlowBundleOptions`. */
  readonly budget?: number
  /** See `FlowBundleOptions`. */
  readonly sampleSteps?: number
}

/**
 * Fits a bundle of the space `flow` to files of recorded sessions, in memory that does not grow with them. They are read twice: the
 * second time as clients tell of them that tell of nothing but the names of tools, which is quicker. From a pipe, which is read once, the
 * bundle has no model for such sessions.
 *
 * @throws PlimsollError `traces_invalid`, naming file and line, or where no violated session is left
 */
export async function fitFlowFromFiles(options: FlowFromFilesOptions): Promise<Bundle> {
  const {
    files,
    documents,
    catalogueVersion = versionOf(documents.catalogue),
    name = 'flow-observed',
    models = {},
    onRead,
    onPhase,
    budget,
    sampleSteps,
    signal,
  } = options
  const madeWith = {
    catalogue: catalogueVersion,
    instructions: versionOf(models.instructions ?? shippedInstructionModel()),
  }
  const common = {
    name,
    madeWith,
    ...(budget !== undefined && { budget }),
    ...(sampleSteps !== undefined && { sampleSteps }),
  }
  const sessionsSeen = (sight: ReportParts, onRead?: FlowFromFilesOptions['onRead']) =>
    playedSessions(stoppable(readRecordings(files, onRead), signal), unscoredStage(documents, sight))
  const conductFor = options.isOfShippedText ? fitConductTextApart(await conductSamples(files)) : undefined
  const reported = await fitFlowBundle({
    ...common,
    sessions: sessionsSeen({ ...models, ...(conductFor && { conductFor }) }, onRead),
    ...(onPhase && { onPhase }),
  })
  if (!(await areReadAgain(files))) return reported
  onPhase?.('labelsOnly')
  const sessions = sessionsSeen({ ...models, without: LABELS_ONLY })
  return withLabelsOnly(reported, await fitFlowBundle({ ...common, sessions, options: LABELS_ONLY_OPTIONS }))
}

/** What the text model of conduct is fitted to: the sessions that are not kept back. */
async function conductSamples(files: readonly string[]): Promise<ConductSample[]> {
  const corpus = createConductCorpus()
  for await (const recording of readRecordings(files))
    if (!isHeldOutAbout(recording.about)) corpus.add(recording)
  return corpus.samples()
}

/** Fits the text model of conduct that ships. The test split and fold 4 are kept out. */
export const fitShippedConductText = async (files: readonly string[]): Promise<ConductTextModel> =>
  fitConductText(await conductSamples(files))

/** Where sessions are played for their features: under rules without scorers, which are what the scorers are fitted to. */
export function unscoredStage(documents: Documents, sight: ReportParts): Stage {
  const { flow: _scorers, labelsOnly: _labelsOnly, ...bundle } = documents.bundle
  return {
    rules: compileRules({ ...documents, bundle }),
    observer: evaluationObserver(documents.catalogue, sight),
    observerFor: observersApart(documents.catalogue, sight),
  }
}

/** An observer for each text model of conduct that sessions are fitted with. */
function observersApart(catalogue: Catalogue, { conductFor, ...sight }: ReportParts): Stage['observerFor'] {
  if (!conductFor) return undefined
  const observers = new Map<ConductTextModel, Observer>()
  return (about) => {
    const conduct = conductFor(about)
    if (!conduct) return undefined
    const observer = observers.get(conduct) ?? evaluationObserver(catalogue, { ...sight, conduct })
    observers.set(conduct, observer)
    return observer
  }
}

/** Features of every session. */
export function tabulateCorpus(
  { recordings }: Pick<Corpus, 'recordings'>,
  documents: Documents,
  sight: ReportParts,
  onProgress?: (share: number) => void,
): SessionTable {
  return tabulateSessions(recordings, unscoredStage(documents, sight), onProgress)
}
