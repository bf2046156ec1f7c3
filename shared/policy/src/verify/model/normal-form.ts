import { type Call, type SessionState, INITIAL_STATE, exposureOf, safetyState } from '@plimsoll/engine'
import type { MemoryForm } from './memory-form.js'

/**
 * The abstraction. Sessions with the same normal form behave the same for all future events. State that no verdict of the model reads, or
 * that only prediction reads, is removed; the rest is made relative to now. What is kept:
 *
 * - whether the session has ended, whether sensitive data was read, and whether a step was blocked for containing it: this is all that the
 *   line reads, because no step of the model runs a project's own targets;
 * - the part of the specs' memory that memory-form keeps;
 * - the calls in flight that have an effect once they complete, or whose results may raise labels, as a set of classes. Each class stands
 *   for one or more calls.
 *
 * Approvals are immediate: a step that is approved later equals a step proposed later, because it is judged then on the state of that time.
 * Each is for one step: an approval for the session lifts what an approval of the later step would have lifted.
 */
export function createNormalForm(
  memory: MemoryForm,
  { isExact, time }: { readonly isExact: boolean; readonly time: number },
): NormalForm {
  const apartFromMemory = ({ ended, held, safety, calls }: SessionState): string =>
    `${ended ? 1 : 0}${held ? 1 : 0}${safety}|${calls.map(({ callId }) => callId).join(' ')}`
  return {
    normal: (state) => ({
      ...state,
      safety: exposureOf(state.safety) >= SENSITIVE ? SENSITIVE_STATE : INITIAL_STATE,
      level: 0,
      taint: 0,
      band: 0,
      ...memory.normal(state),
      violations: 0,
      withoutVerdict: 0,
      time,
      producers: [],
      recent: [],
      calls: normalCalls(state.calls, isExact),
      // No result in the model reports fingerprints: all of them come from the task.
      sources: state.sources,
      history: [],
      conduct: [],
      bucket: 0,
      refined: [],
      leftState: -1,
      codeWritten: false,
      filesMayHold: false,
      secretWritten: false,
      asked: 0,
      approvals: [],
    }),
    keyOf: (state) => `${memory.keyOf(state)}|${apartFromMemory(state)}`,
    covers: (abstract, concrete) =>
      apartFromMemory(abstract) === apartFromMemory(concrete) && memory.covers(abstract, concrete),
  }
}

export interface NormalForm {
  readonly normal: (state: SessionState) => SessionState
  readonly keyOf: (state: SessionState) => string
  /** Whether two normal forms are equal except for windows that have passed and were not read since. */
  readonly covers: (abstract: SessionState, concrete: SessionState) => boolean
}

const SENSITIVE = 3
const SENSITIVE_STATE = safetyState(SENSITIVE, 0, 0)

/** A class of indistinguishable calls in flight, represented by one of them. */
export interface OpenClass {
  readonly callId: string
  readonly raiseClass: number
  /** The watches that it undoes when it completes without an error; see undoMask. */
  readonly undoes: string
  /** Whether its completion has no effect. */
  readonly isPlain: boolean
}

/** The id under which a step is proposed: it encodes the class of the call. */
export const tagged = (raiseClass: number, undoes: string): string => `${raiseClass}.${undoes}.new`

export function classesOf({ calls }: SessionState): OpenClass[] {
  if (calls.length === 0) return []
  return calls.flatMap((call) => {
    if (call.status !== 'open') return []
    const { callId, credits } = call
    const [raiseClass = '0', undoes = ''] = callId.split('.')
    const isPlain = credits.length === 0 && undoes === ''
    return [{ callId, raiseClass: Number(raiseClass), undoes, isPlain }]
  })
}

/** `state` with another call of the class in flight. */
export function withTwin(state: SessionState, { callId }: OpenClass): SessionState {
  const calls = state.calls.flatMap((call) =>
    call.callId === callId ? [call, { ...call, callId: `${callId}+` }] : [call],
  )
  return { ...state, calls }
}

const NO_CALLS: readonly Call[] = Object.freeze([])

/** Calls time out as if they had failed, which in the model they may do at any time. */
const NEVER_OVERDUE = Number.MAX_SAFE_INTEGER

/** Calls in normal form. They stay the same until they cannot have an effect any more. */
const NORMAL = new WeakSet<Call>()

function normalCalls(calls: readonly Call[], isExact: boolean): readonly Call[] {
  if (calls.length === 0) return NO_CALLS
  const classes = new Map<string, Call>()
  for (const call of calls) {
    if (call.status !== 'open') continue
    if (!isExact && NORMAL.has(call)) classes.set(call.callId, call)
    else addNormal(classes, call, isExact)
  }
  if (classes.size === 0) return NO_CALLS
  const normal = [...classes.values()]
  return normal.length === 1 ? normal : normal.sort((a, b) => (a.callId < b.callId ? -1 : 1))
}

function addNormal(
  classes: Map<string, Call>,
  call: Extract<Call, { status: 'open' }>,
  isExact: boolean,
): void {
  const { callId: id, credits } = call
  if (credits.length === 0 && id.startsWith('0..')) return
  const kind = `${id.slice(0, id.lastIndexOf('.'))}.${credits.join('-')}`
  const callId = isExact ? firstFree(classes, kind) : kind
  if (classes.has(callId)) return
  const made: Call = {
    status: 'open',
    callId,
    source: 0,
    credits,
    tool: '',
    digest: '',
    since: NEVER_OVERDUE,
    made: '',
  }
  NORMAL.add(made)
  classes.set(callId, made)
}

function firstFree(taken: ReadonlyMap<string, Call>, kind: string): string {
  let callId = kind
  while (taken.has(callId)) callId += '+'
  return callId
}
