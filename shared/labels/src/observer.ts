import { FINGERPRINTS_MAX, type Catalogue, type Organisation, type Signals } from '@plimsoll/contracts'
import { withSpaces } from './acts/languages-without-spaces.js'
import { type OrderModel, ordersOfTask, shippedOrderModel } from './acts/order-model.js'
import { actsIn } from './acts/lexicon.js'
import { createNotOrdered } from './acts/not-ordered.js'
import { meansMore } from './acts/means-more.js'
import { givenOf, leavingOf } from './arguments/destinations.js'
import { labelStep } from './arguments/label-step.js'
import { readScripts } from './arguments/scripts-read.js'
import { ownNamesOf } from './arguments/shell/own-folders.js'
import { createWorldFinder } from './arguments/world/known-world.js'
import { findCategory } from './category/find.js'
import { type CategoryModel, shippedCategoryModel } from './category/model.js'
import { createConductReader } from './conduct/read-conduct.js'
import { type ConductTextModel, shippedConductTextModel } from './conduct/text-model.js'
import { type SensitiveFindings, findSensitive, findSensitiveResult } from './content/sensitive.js'
import { withoutOwnReports } from './instructions/own-reports.js'
import { readInstructions } from './instructions/read.js'
import { type InstructionModel, shippedInstructionModel } from './instructions/score.js'
import { createMessageReports } from './messages/report.js'
import { isOwnEntry, recipientsOf } from './messages/recipients.js'
import { readsMessages } from './payments/gives.js'
import { moneyHints } from './payments/hints.js'
import { reportGift, reportPayees } from './payments/report.js'
import type {
  CompletionReport,
  InstructedView,
  ProposedView,
  SeenObject,
  SeenResult,
  SeenStep,
  SeenTask,
  StartedView,
} from './observer-views.js'
import { argumentText } from './provenance/argument-text.js'
import { createServerIds, hasOtherRun } from './provenance/ids-of-servers.js'
import { namedByTask } from './provenance/named-by-task.js'
import { createFingerprinter } from './provenance/fingerprinter.js'
import { addsSecret, claimsBeyond, reportEffects, reportScript, seenObjectsOf } from './report-effects.js'
import { createLimitReports } from './report-limits.js'
import { addSignals, signalsMember } from './report-signals.js'
import { WORST, claimsOf, isSensitive, isTrusted, taintOf, withName } from './result-claims.js'
import { shownRecords } from './provenance/shown-records.js'
import { mapped } from './text/mapped.js'
import { readText, textOf } from './text/text-of.js'
import { scanTokens } from './text/tokens.js'
import { actDone } from './tools/act-done.js'
import { entryByName } from './tools/by-name.js'
import { entryFinderOf } from './tools/entries.js'
import { isProgram, runsShell } from './tools/programs.js'
import { type Toolset, createToolset, reachOf } from './tools/reach.js'

/** The parts of an observer; each can be switched off with `without`. */
export const OBSERVER_PARTS = [
  'arguments',
  'category',
  'conduct',
  'content',
  'flows',
  'instructions',
  'provenance',
] as const
export type ObserverPart = (typeof OBSERVER_PARTS)[number]

export interface ObserverOptions {
  /** The labels of the tools. Observers that share one object share its index. */
  readonly catalogue: Catalogue
  /** Key of the root session, from `keyOfRoot`. */
  readonly key: Uint8Array
  /** Fitted models. Default: those that ship with Plimsoll. */
  readonly models?: {
    readonly instructions?: InstructionModel
    readonly categories?: CategoryModel
    readonly conduct?: ConductTextModel
    readonly orders?: OrderModel
  }
  /** The organisation that the agents work for. Default: the catalogue's. */
  readonly organisation?: Organisation | undefined
  /** Parts to switch off; reports omit their members. Default: none. */
  readonly without?: readonly ObserverPart[] | undefined
  /** Whether the session began where this observer was not: whom its user says to follow is then not known. Default: no. */
  readonly isResumed?: boolean | undefined
  /** Called when a reader of arguments throws. The step then has the worst labels. */
  readonly onReaderError?: ((error: unknown) => void) | undefined
}

export interface Observer {
  started(reported: SeenTask): StartedView
  /** A later instruction of the user. Only `started` searches for a category. */
  instructed(reported: Pick<SeenTask, 'task'>): InstructedView
  proposed(step: SeenStep): ProposedView
  /** What each of the `effects` of that report is done to, as the arguments have it, for people. */
  objectsOf(step: SeenStep): readonly SeenObject[]
  /** The report is empty if there is no result. */
  completed(step: SeenResult): CompletionReport
}

export function createObserver(options: ObserverOptions): Observer {
  const { catalogue, key, models = {}, organisation = catalogue.organisation, onReaderError } = options
  const uses = partsWithout(options.without)
  const entryOf = entryFinderOf(catalogue)
  const fingerprinter = createFingerprinter(key)
  const reports = createMessageReports(fingerprinter, options.isResumed === true)
  const serverIds = createServerIds()
  const notOrdered = createNotOrdered()
  const limits = createLimitReports(fingerprinter, options.isResumed === true)
  const model = models.instructions ?? shippedInstructionModel()
  const conductReader = createConductReader(models.conduct ?? shippedConductTextModel())
  const worldOf = createWorldFinder(catalogue.world)

  const labelled = (step: SeenStep) =>
    labelStep(
      step.tool,
      givenOf(step.arguments ?? {}),
      entryOf(step.tool) ?? entryByName(step.tool),
      organisation,
      {
        onError: onReaderError,
        world: worldOf(step),
        lossAt: step.lossAt,
        mayForbidActs: limits.mayForbidActs,
      },
    )

  const toolsets = new WeakMap<readonly string[], Toolset>()
  /** How far a text calls for a tool of the agent; nothing if its tools are unknown, which the engine takes for the worst. */
  function reach(name: 'reach' | 'taskReach', text: string, tools: readonly string[] | undefined): Signals {
    if (!tools || !uses.instructions) return {}
    const toolset = toolsets.get(tools) ?? createToolset(tools, entryOf)
    toolsets.set(tools, toolset)
    return { [name]: reachOf(toolset, text) }
  }

  function started({ task, category, isDelegated = false, isLater = false, tools }: SeenTask): StartedView {
    if (task === undefined) return {}
    const text = withSpaces(textOf(task))
    const tokens = scanTokens(text)
    const { signals } = uses.content ? findSensitive(text, tokens) : NOTHING_FOUND
    const isSought = uses.category && category === undefined && !isDelegated
    const { follows, signals: delegating } = uses.flows && !isDelegated ? reports.followed(text) : {}
    const orders =
      uses.arguments && !isDelegated ? ordersOfTask(text, models.orders ?? shippedOrderModel()) : undefined
    if (uses.flows && actsIn(orders ?? {}).length > 0) notOrdered.read(text)
    const found = isSought ? findCategory(text, models.categories ?? shippedCategoryModel()) : undefined
    return {
      ...(found && { found }),
      ...(uses.provenance && {
        fingerprints: namedByTask(text, tokens, fingerprinter, {
          people: uses.flows && !isDelegated ? reports.writers(text) : [],
          isOrdering: actsIn(orders ?? {}).length > 0,
        }),
      }),
      ...(uses.arguments && uses.provenance && limits.of(text, isLater)),
      ...(follows && uses.provenance && { follows }),
      ...(uses.flows && uses.provenance && reportPayees(fingerprinter, text, undefined, true)),
      ...signalsMember({
        ...signals,
        ...delegating,
        ...orders,
        ...(uses.flows && meansMore(text)),
        ...reach('taskReach', text, tools),
      }),
    }
  }

  function instructed({ task }: Pick<SeenTask, 'task'>): InstructedView {
    // A declared category switches the search off, so `found` is always absent here.
    const { found: _, ...seen } = started({ task, category: '', isLater: true })
    return seen
  }

  function proposed(seen: SeenStep): ProposedView {
    const { tool, description } = seen
    const values = givenOf(seen.arguments ?? {})
    const known = entryOf(tool)
    const entry = known ?? entryByName(tool)
    const runsProgram = isProgram(entry)
    const step = uses.arguments ? labelled(seen) : undefined
    const asked = reports.asked(tool, values)
    if (step && step.reads.length + asked.length > 0) seen.onReads?.([...step.reads, ...asked])
    const given = argumentText(step ? leavingOf(values, step.saved, runsShell(entry)) : values)
    const tokens = scanTokens(given.text)
    const acts = step && actDone({ tool, isProgram: runsProgram }, step.labels, step.signals)
    const sensitive = uses.content ? findSensitive(given.text, tokens) : NOTHING_FOUND
    const fingerprints = uses.provenance
      ? fingerprinter.proposal({ tool, description, given, tokens })
      : undefined
    const holdsSecret = (sensitive.signals?.['secrets'] ?? 0) > 0
    // Of a payment the id says how much is paid, too.
    const isShown = uses.flows && !holdsSecret && !acts?.['doesPay'] ? serverIds.shownBy(tool) : undefined
    const isOpaque =
      fingerprints !== undefined && fingerprinter.wasOpaque && (!isShown || hasOtherRun(given, isShown))
    const isPartial =
      (fingerprints !== undefined && fingerprinter.wasPartial) ||
      (isOpaque && (!known || runsProgram || !uses.flows))
    // After `wasPartial`, which is of the list that was made last.
    const isSent = fingerprints && step && (step.labels.capability === 'network' || acts?.['doesPay'])
    const isPush = step?.signals?.['pushes'] === 1
    const isAsked = isSent && (step.labels.reversibility !== 'irreversible' || acts?.['doesPay'] || isPush)
    const addressed = isAsked
      ? fingerprinter.addressed(given, isPush)
      : isSent && uses.flows
        ? fingerprinter.beside(given)
        : []
    // An id that came from a service is no content of what it is sent to.
    if (fingerprints && !known && uses.flows) addressed.push(...fingerprinter.records(given))
    if (isShown && isSent) addressed.push(...fingerprinter.returned(given, isShown))
    const link =
      isSent && uses.flows && step.labels.reversibility === 'reversible' ? fingerprinter.link(given) : []
    const recipients =
      isSent && uses.flows && !runsProgram ? recipientsOf(given)?.map(fingerprinter.people) : undefined
    const isOwn = isSent && uses.flows && !holdsSecret && isOwnEntry(tool, values)
    const returning = isOwn ? fingerprints : reports.returning(fingerprints, recipients)
    const about = [...addressed, ...returning].slice(0, FINGERPRINTS_MAX)
    // A tool without an entry may change anything.
    const isChanging =
      fingerprints && step && uses.flows && !runsProgram && (!entry || step.labels.capability !== 'read')
    const gives = isChanging ? reportGift(fingerprinter, { tool, description, arguments: values }) : undefined
    const effects =
      fingerprints && step ? reportEffects(step, fingerprinter, uses.flows ? notOrdered : undefined) : []
    const changes = mapped(fingerprints && step?.changes, fingerprinter.names)
    const made =
      fingerprints && step
        ? ownNamesOf(step, seen.isThere, seen.lossAt).flatMap((name) => fingerprinter.object([name]))
        : []
    if (fingerprints && step?.fetched !== undefined && uses.flows)
      made.push(fingerprinter.named('u', step.fetched))
    const files = mapped(isSent && uses.flows ? step.files : undefined, fingerprinter.file)
    const scripts = mapped(fingerprints && step?.scripts, (script) => reportScript(script, fingerprinter))
    const unread = fingerprints && uses.flows ? step?.unread : undefined
    const programs = mapped(unread, (path) => fingerprinter.names([path]))
    const runs = fingerprints && step ? fingerprinter.names(step.runs) : []
    const runFiles = mapped(fingerprints && step?.runFiles, fingerprinter.object)
    const signals: Signals = {}
    addSignals(signals, sensitive.signals)
    // A text that was not read whole was not understood whole, whatever the argument readers report.
    addSignals(signals, step?.signals, isPartial ? 'complete' : undefined)
    addSignals(signals, acts)
    if (runsProgram) signals['program'] = 1
    else if (step?.labels.capability === 'write' && given.leaves.some(({ letter }) => letter === 'p'))
      signals['writesFile'] = 1
    if (uses.flows && !runsProgram && readsMessages(tool)) signals['message'] = 1
    if (uses.conduct) {
      const { capability } = step?.labels ?? entry?.labels ?? {}
      const names = Object.keys(values)
      const text = { text: given.text, units: tokens }
      addSignals(signals, conductReader.step({ tool, names, ...text, isProgram: runsProgram, capability }))
    }
    if (isPartial) signals['partial'] = 1
    else if (isOpaque) signals['opaque'] = 1
    // Last, because it scans a text of its own: most of these edits take a secret out.
    if (step?.shows === true && holdsSecret && addsSecret(values)) signals['exposes'] = 1
    // One by one: each spread would make an object of its own.
    const view: { -readonly [Member in keyof ProposedView]: ProposedView[Member] } = {}
    if (step) view.labels = known ? step.labels : claimsBeyond(entry, step.labels)
    if (fingerprints) view.fingerprints = fingerprints
    if (about.length > 0) view.addressed = about
    if (link.length > 0) view.link = link
    if (recipients) view.recipients = recipients
    if (files.length > 0) view.files = files
    if (gives) view.gives = gives
    if (effects.length > 0) view.effects = effects
    if (changes.length > 0) view.changes = changes
    if (made.length > 0) view.made = made
    if (scripts.length > 0) view.scripts = scripts
    if (runs.length > 0) view.runs = runs
    if (runFiles.some((names) => names.length > 0)) view.runFiles = runFiles
    if (programs.length > 0) view.programs = programs
    if (Object.keys(signals).length > 0) view.signals = signals
    return view
  }

  function completed({ tool, result, tools, outcome, reads = [] }: SeenResult): CompletionReport {
    if (result === undefined) return {}
    const { text, isWhole } = readText(result)
    if (uses.flows && outcome !== 'error') serverIds.note(tool, text)
    const tokens = scanTokens(text)
    const sensitive = uses.content ? findSensitiveResult(text, tokens) : NOTHING_FOUND
    const entry = entryOf(tool)
    const labels = entry?.labels
    const isOfShell = runsShell(entry ?? entryByName(tool))
    // What a command line prints is mostly code, and long; what a tool answers that sends is a receipt.
    const isReceipt = labels?.reversibility === 'irreversible'
    const readsPayees = uses.flows && uses.provenance && !isOfShell && !isReceipt
    const hints = readsPayees ? moneyHints(text, tokens) : []
    // Text from a trusted source may contain instructions that the agent should follow.
    const isRead = uses.instructions && !isTrusted(labels)
    const found = isRead ? readInstructions(text, tokens, model) : undefined
    const reading = found && isOfShell ? withoutOwnReports(found, text, model) : found
    const segments = reading?.segments ?? []
    const written =
      uses.flows && uses.provenance && outcome !== 'error'
        ? reports.messages(tool, result, text, isReceipt, reads)
        : []
    const claims = claimsOf(entry ? sensitive : withName(tool, sensitive))
    const mayBeSensitive =
      uses.flows && (isSensitive(labels ?? WORST) || (claims !== undefined && isSensitive(claims)))
    const keepsLinks = uses.flows && (mayBeSensitive || labels?.confidentiality === 'internal')
    const seen = uses.provenance
      ? fingerprinter.result(text, tokens, segments, mayBeSensitive, keepsLinks)
      : undefined
    const taint = taintOf(labels, segments.length > 0)
    const signals: Signals = {}
    addSignals(signals, sensitive.signals)
    addSignals(signals, reading?.signals)
    if (segments.length > 0) addSignals(signals, reach('reach', passagesIn(text, segments), tools))
    // The list omits distinctive values or longer passages of the text: a missing fingerprint then proves nothing.
    if (seen !== undefined && (seen.partial || !isWhole)) signals['partial'] = 1
    if (uses.conduct) addSignals(signals, conductReader.result(tokens, outcome === 'error'))
    const records =
      uses.flows && uses.provenance && !isOfShell && outcome !== 'error'
        ? shownRecords(text, limits.excepts, typeof result === 'string').flatMap((each) =>
            fingerprinter.shown(each, limits.exceptionOf(each.texts)),
          )
        : []
    const isScript = reads.length > 0 && uses.arguments && uses.provenance
    const scripts = isScript ? readScripts(reads, text) : []
    return {
      ...(seen && { fingerprints: seen.fingerprints }),
      ...(claims && { labels: claims }),
      ...(taint && { taint }),
      ...(seen && seen.instructed.length > 0 && { instructed: seen.instructed }),
      ...(seen && seen.linkParts.length > 0 && { linkParts: seen.linkParts }),
      ...(written.length > 0 && { messages: written }),
      ...(readsPayees && reportPayees(fingerprinter, text, result, false, hints)),
      ...(records.length > 0 && { records }),
      ...(scripts.length > 0 && { scripts: scripts.map((each) => reportScript(each, fingerprinter)) }),
      ...signalsMember(signals),
    }
  }

  const objectsOf = (step: SeenStep) => seenObjectsOf(labelled(step))

  return { started, instructed, proposed, objectsOf, completed }
}

const passagesIn = (text: string, segments: readonly (readonly [number, number])[]): string =>
  segments.map(([start, end]) => text.slice(start, end)).join('\n')

const NOTHING_FOUND: SensitiveFindings = Object.freeze({ tags: [], counts: {}, signals: {} })

function partsWithout(without: readonly ObserverPart[] = []): Readonly<Record<ObserverPart, boolean>> {
  return Object.fromEntries(OBSERVER_PARTS.map((part) => [part, !without.includes(part)])) as Record<
    ObserverPart,
    boolean
  >
}
