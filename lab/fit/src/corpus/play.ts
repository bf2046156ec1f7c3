import {
  type Catalogue,
  type Decision,
  type Event,
  type EventOf,
  PlimsollError,
  logged,
} from '@plimsoll/contracts'
import { type Facts, type LoggedEvent, type Rules, type SessionState, step } from '@plimsoll/engine'
import {
  type CompletionReport,
  type ConductTextModel,
  type InstructionModel,
  type Observer,
  type ObserverPart,
  type ProposedView,
  type StartedView,
  createObserver,
  keyOfRoot,
} from '@plimsoll/labels'
import { type Disclose } from '@plimsoll/policy'
import type { BlindStep, BlindTrace } from './blind.js'
import type { About } from './recording.js'

/** What a recorded session is played on. */
export interface Stage {
  readonly rules: Rules
  /** What the client would tell of the texts. */
  readonly observer: Observer
  /** Another observer for some sessions: one whose text models have not seen them. */
  readonly observerFor?: ((about: About) => Observer | undefined) | undefined
}

/** A recorded step, played. */
export interface PlayedStep {
  /** The session as the proposal found it. */
  readonly before: SessionState
  readonly proposal: EventOf<'step.proposed'>
  readonly decision: Decision
  /** The session once the result was in. */
  readonly after: SessionState
  /** Microseconds that it took, in client and engine together. */
  readonly us: number
}

export interface Listener {
  started?(state: SessionState): void
  stepped(step: PlayedStep): void
}

/** Plays a recorded session: every step is proposed, then completed with the recorded result, whatever the verdict. */
export type Player = (trace: BlindTrace, listener: Listener) => void

/** A client's reports of a session's texts, step by step, so that a report can be reused for equal steps. */
export interface Views {
  started(task: string, tools?: readonly string[]): StartedView
  proposed(step: BlindStep): ProposedView
  completed(step: BlindStep, tools?: readonly string[]): CompletionReport
}

/** The recorded agent continues whatever is decided, so the session is only observed. */
export const OBSERVED: Facts = Object.freeze({ mode: 'observe' })

/** Nothing is decided by the digest, and no approval is bound to it. */
const NO_DIGEST = '0'.repeat(64)

/** The longest task that an event may carry. */
const TASK_CHARS_MAX = 8192

/** Plays one recorded session through the engine, with the events that a client would have sent. */
export function play(trace: BlindTrace, { rules, observer }: Stage, listener: Listener): void {
  createPlayer(rules, viewsOf(observer))(trace, listener)
}

export const viewsOf = (observer: Observer): Views => ({
  started: (task, tools) => observer.started({ task, tools }),
  proposed: ({ tool, description, args }) => observer.proposed({ tool, description, arguments: args }),
  completed: ({ tool, result, error }, tools) =>
    observer.completed({ tool, result, outcome: error ? 'error' : 'ok', tools }),
})

export function createPlayer(rules: Rules, views: Views, facts: Facts = OBSERVED): Player {
  const send = (session: SessionState | undefined, event: LoggedEvent) => {
    const { state, decision, fault } = step(session, event, rules, facts)
    if (fault) throw new PlimsollError(fault.code, fault.message)
    if (!state) throw new RangeError('the session has not begun')
    return { state, decision }
  }
  const begin = ({ category, task, tools }: BlindTrace): SessionState => {
    const reported = views.started(task, tools)
    const body = {
      type: 'session.started' as const,
      category,
      task: task.slice(0, TASK_CHARS_MAX),
      ...reported,
    }
    return send(undefined, numbered(body, 0)).state
  }
  const advance = (
    before: SessionState,
    recorded: BlindStep,
    i: number,
    tools: BlindTrace['tools'],
  ): PlayedStep => {
    const began = performance.now()
    const { tool, error } = recorded
    const call = { callId: `step-${i}`, tool }
    const seq = 1 + 2 * i
    const proposal = numbered(
      { type: 'step.proposed', ...call, argumentsDigest: NO_DIGEST, ...views.proposed(recorded) },
      seq,
    )
    const { state: proposed, decision } = send(before, proposal)
    const outcome = error ? ('error' as const) : ('ok' as const)
    const completed = {
      type: 'step.completed' as const,
      ...call,
      outcome,
      ...views.completed(recorded, tools),
    }
    const { state: after } = send(proposed, numbered(completed, seq + 1))
    const us = (performance.now() - began) * 1000
    if (!decision) throw new RangeError(`step ${i} was not decided`)
    return { before, proposal: proposal.event as EventOf<'step.proposed'>, decision, after, us }
  }
  return (trace, listener) => {
    let session = begin(trace)
    listener.started?.(session)
    for (const [i, recorded] of trace.steps.entries()) {
      const played = advance(session, recorded, i, trace.tools)
      session = played.after
      listener.stepped(played)
    }
  }
}

type Without<T> = T extends Event
  ? Omit<T, 'schema' | 'id' | 'sessionId' | 'producer' | 'seq' | 'time'>
  : never
type EventBody = Without<Event>

function numbered(body: EventBody, seq: number): LoggedEvent {
  const event = {
    schema: 1,
    id: `e${seq}`,
    sessionId: 'scored',
    producer: 'trainer',
    seq,
    time: seq,
    ...body,
  }
  return logged(event as Event, seq)
}

/** Views that report the arguments which `disclose` allows, as a client does. */
export const disclosingViews = (views: Views, disclose: Disclose): Views => ({
  ...views,
  proposed: (step) => {
    const seen = views.proposed(step)
    const reported = disclose(step.tool, step.args)
    return reported ? Object.assign({ arguments: reported }, seen) : seen
  },
})

/** Fitted models that read texts; those that ship where they are left out. */
export interface TextModels {
  readonly instructions?: InstructionModel
  readonly conduct?: ConductTextModel
}

/** How recorded texts are seen. */
export interface ReportParts extends TextModels {
  /** The model of conduct for sessions that it is fitted to: a model that has not seen the session. */
  readonly conductFor?: (about: About) => ConductTextModel | undefined
  readonly without?: readonly ObserverPart[]
}

/** Any key does: nothing of a session is compared with another, and equal values are equal under each. */
const KEY = keyOfRoot('recorded sessions', 'evaluation')

/**
 * The observer of recorded texts, whose category is declared. It is stateless: one serves all sessions.
 */
export const evaluationObserver = (
  catalogue: Catalogue,
  { without = [], conductFor: _conductFor, ...models }: ReportParts = {},
): Observer => createObserver({ catalogue, key: KEY, models, without: [...without, 'category'] })

/** Tasks whose view is kept: recordings have hundreds. */
const TASKS_MAX = 4096

/**
 * Views that are computed once for each step object: agents repeat each other, and reading texts takes most of the time of
 * playing. They live as long as the steps, so equal steps should be one object: see `createRecentSteps`.
 */
export function rememberedViews(views: Views): Views {
  const proposed = new WeakMap<BlindStep, ReturnType<Views['proposed']>>()
  const byTools = new WeakMap<readonly string[], ReturnType<typeof createReports>>()
  const reportsOf = (tools: readonly string[] = UNKNOWN_TOOLS) => remembered(byTools, tools, createReports)
  return {
    started: (task, tools) => {
      const { started } = reportsOf(tools)
      const known = started.get(task) ?? views.started(task, tools)
      if (started.size < TASKS_MAX) started.set(task, known)
      return known
    },
    proposed: (step) => remembered(proposed, step, views.proposed),
    completed: (step, tools) =>
      remembered(reportsOf(tools).completed, step, () => views.completed(step, tools)),
  }
}

/** Reports that depend on the tools of the agent. */
const createReports = () => ({
  completed: new WeakMap<BlindStep, ReturnType<Views['completed']>>(),
  started: new Map<string, ReturnType<Views['started']>>(),
})
const UNKNOWN_TOOLS: readonly string[] = []

function remembered<K extends object, T>(known: WeakMap<K, T>, step: K, make: (step: K) => T): T {
  const found = known.get(step)
  if (found !== undefined) return found
  const made = make(step)
  known.set(step, made)
  return made
}
