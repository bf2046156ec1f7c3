import type { Catalogue, EventOf, Taint, ToolLabels } from '@plimsoll/contracts'
import { createLabeller, type Labeller } from './labeller.js'
import { createFingerprinter } from './provenance/fingerprinter.js'
import { textOf } from './text/text-of.js'
import { scanTokens } from './text/tokens.js'

export interface ObserverOptions {
  /** What the tools are. One that is made once is read once, however many observers use it. */
  readonly catalogue: Catalogue
  /** Of the root session, as `keyOfRoot` gives it. */
  readonly key: Uint8Array
}

export type StartedView = Pick<EventOf<'session.started'>, 'fingerprints' | 'signals'>
export type ProposedView = Pick<EventOf<'tool.proposed'>, 'labels' | 'fingerprints' | 'signals'>
export type CompletedView = Pick<
  EventOf<'tool.completed'>,
  'labels' | 'taint' | 'fingerprints' | 'instructed' | 'signals'
>

/**
 * Sees the texts of one root session where they are, and gives what events tell of them. It remembers nothing from one call to the next,
 * so that any number of them under one key agree; nothing that it is given makes it throw.
 *
 * @example
 * const observer = createObserver({ catalogue, key: keyOfRoot(deploymentKey, sessionId) })
 * observer.proposed({ tool: 'send_email', arguments: { to: 'ann@example.com' } }) // { fingerprints: ['a…', …], … }
 */
export interface Observer {
  started(told: { readonly task?: string | undefined }): StartedView
  proposed(step: {
    readonly tool: string
    readonly description?: string | undefined
    readonly arguments?: Readonly<Record<string, unknown>> | undefined
  }): ProposedView
  /** `result` is a string or any JSON value; without it only what the tool's labels say is told. */
  completed(step: {
    readonly tool: string
    readonly result?: unknown
    readonly outcome?: 'ok' | 'error' | undefined
  }): CompletedView
}

export function createObserver({ catalogue, key }: ObserverOptions): Observer {
  const labelOf = labellerOf(catalogue)
  const fingerprinter = createFingerprinter(key)
  return {
    started: ({ task }) =>
      task === undefined ? {} : { fingerprints: fingerprinter.task(task.slice(0, TASK_CHARS_MAX)) },
    proposed: ({ tool, description, arguments: values = {} }) => ({
      fingerprints: fingerprinter.proposal(tool, description, values),
    }),
    completed: ({ tool, result }) => {
      if (result === undefined) return {}
      const text = textOf(result)
      const { fingerprints, instructed } = fingerprinter.result(text, scanTokens(text), [])
      const taint = taintOf(labelOf(tool), false)
      return { fingerprints, ...(instructed.length > 0 && { instructed }), ...(taint && { taint }) }
    },
  }
}

/** Characters of a task that are read. */
const TASK_CHARS_MAX = 65_536

/** What reading a result does to its session; undefined where it does nothing. */
function taintOf(labels: ToolLabels | undefined, isInstructing: boolean): Taint | undefined {
  if (labels?.trust === 'trusted' || (labels && !labels.trust)) return undefined
  if (isInstructing) return 'instructions'
  return labels ? 'data' : undefined
}

const labellers = new WeakMap<Catalogue, Labeller>()

function labellerOf(catalogue: Catalogue): Labeller {
  const known = labellers.get(catalogue)
  if (known) return known
  const made = createLabeller(catalogue)
  labellers.set(catalogue, made)
  return made
}
