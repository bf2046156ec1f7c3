import { type Topics, PlimsollError } from '@plimsoll/contracts'
import { type Documents, readCatalogue, readDocument } from '@plimsoll/policy'
import type { Clock, EventLog, Logger, Metrics, SessionStore } from '@plimsoll/runtime'
import type { Arrow } from './context.js'
import type { DeadlineArrow } from './deadlines/scheduler.js'
import type { Counting } from './fold/counting.js'
import type { IdentitySettings } from './records/identity.js'
import type { MonitorLimits } from './records/quota.js'

export interface RuleFiles {
  readonly bundles?: readonly string[] | undefined
  readonly policies?: readonly string[] | undefined
  readonly catalogues?: readonly string[] | undefined
}

/** What a monitor has without a registry: the first are what new sessions get. */
export type RuleDocuments = readonly [Documents, ...Documents[]]

/**
 * The documents of the files: the first of each kind together are the defaults of new sessions, every combination is there for sessions
 * pinned to it. Each catalogue adds to those that ship. Throws `document_invalid` with every problem of every file.
 */
export async function readRuleDocuments(files: RuleFiles): Promise<RuleDocuments> {
  const [bundleReads, policyReads, catalogueReads] = await Promise.all([
    readAll('bundle', files.bundles),
    readAll('policy', files.policies),
    Promise.allSettled(
      (files.catalogues ?? [undefined]).map((file) => readCatalogue(file === undefined ? [] : [file])),
    ),
  ])
  // In the order of the kinds, whichever file was read first.
  const problems: string[] = []
  const bundles = readable(bundleReads, problems)
  const policies = readable(policyReads, problems)
  const catalogues = readable(catalogueReads, problems)
  if (problems.length > 0)
    throw new PlimsollError('document_invalid', problems.join('\n  '), { details: { problems } })
  const combinations = bundles.flatMap((bundle) =>
    policies.flatMap((policy) => catalogues.map((catalogue): Documents => ({ bundle, policy, catalogue }))),
  )
  const [defaults, ...others] = combinations
  if (!defaults) throw new RangeError('each kind of document has at least its default')
  return [defaults, ...others]
}

function readAll<K extends 'bundle' | 'policy'>(kind: K, names: readonly string[] | undefined) {
  const reads = names ? names.map((name) => readDocument(kind, name)) : [readDocument(kind)]
  return Promise.allSettled(reads)
}

/** The documents that can be read; what is wrong with the others goes to `problems`. */
function readable<T>(settled: readonly PromiseSettledResult<T>[], problems: string[]): T[] {
  return settled.flatMap((result) => {
    if (result.status === 'fulfilled') return [result.value]
    if (!(result.reason instanceof PlimsollError)) throw result.reason
    problems.push(result.reason.message)
    return []
  })
}

export interface MonitorOptions {
  readonly log: EventLog
  readonly store: SessionStore
  /** What is there without a registry; the first are what new sessions get until a control change says otherwise. */
  readonly documents: RuleDocuments
  readonly topics: Topics
  readonly group: string
  /** Verifies internal events and control changes, without it each of them is refused; and signs deadlines, without it there are none. */
  readonly signingKey?: string | undefined
  /** Who agents are; without, whatever they say is taken. */
  readonly identity?: IdentitySettings | undefined
  /** Makes missing topics with so many partitions and replicas (the log's default); where this is left out they must be there. */
  readonly create?: { readonly partitions: number; readonly replicas?: number } | undefined
  readonly limits?: Partial<MonitorLimits>
  /** All sessions are counted where it is left out. */
  readonly counting?: Counting
  readonly metrics: Metrics
  readonly logger: Logger
  readonly clock?: Clock
  /** Told when it cannot go on: `log_changed`, `record_too_new`, `config_invalid`. The process should end. */
  readonly onFatal?: (error: PlimsollError) => void
  /** For tests of the delivery order. */
  readonly onArrow?: (arrow: Arrow) => void
  /** For tests of what comes due. */
  readonly onDeadlineArrow?: (arrow: DeadlineArrow) => void
}
