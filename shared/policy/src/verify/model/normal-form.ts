import { type Call, type SessionState, INITIAL_STATE, exposureOf, safetyState } from '@plimsoll/engine'
import type { MemoryForm } from './memory-form.js'

/**
 * The abstraction. Sessions of one normal form do alike whatever comes: what of a session no verdict of the model reads, or what
 * prediction alone reads, is taken out; the rest is told relative to now. What is kept:
 *
 * - whether the session has ended, whether something sensitive was read, and whether a step was blocked for having it in it: all that the
 *   line reads, as no step of the model runs a project's own targets;
 * - of the memory of specs what memory-form says;
 * - the calls in flight for which something comes to count once they are back, or whose results may tell something; as a set of classes,
 *   each standing for one call or more.
 *
 * Questions are answered at once: a step approved later is one proposed then, as it is judged then on all that was told.
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
      // No result of the model tells fingerprints: they are the task's, always.
      sources: state.sources,
      history: [],
      bucket: 0,
      refined: [],
      leftState: -1,
      codeWritten: false,
      asked: 0,
    }),
    keyOf: (state) => `${memory.keyOf(state)}|${apartFromMemory(state)}`,
    covers: (abstract, concrete) =>
      apartFromMemory(abstract) === apartFromMemory(concrete) && memory.covers(abstract, concrete),
  }
}

export interface NormalForm {
  readonly normal: (state: SessionState) => SessionState
  readonly keyOf: (state: SessionState) => string
  /** Whether the one normal form is the other, but for windows that have passed and that nobody has read yet. */
  readonly covers: (abstract: SessionState, concrete: SessionState) => boolean
}

const SENSITIVE = 3
const SENSITIVE_STATE = safetyState(SENSITIVE, 0, 0)

/** Calls in flight that nothing tells apart, by one of them. */
export interface OpenClass {
  readonly callId: string
  readonly raiseClass: number
  /** Which watches its coming back well undoes; see undoMask. */
  readonly undoes: string
  /** Whether its coming back well counts for nothing. */
  readonly isPlain: boolean
}

/** The id under which a step is proposed: it says of which class the call will be. */
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

/** Calls lapse as if they had failed, which they may do here at any time. */
const NEVER_OVERDUE = Number.MAX_SAFE_INTEGER

/** Calls as a normal form has them, which they stay until something comes to count for them no more. */
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
  }
  NORMAL.add(made)
  classes.set(callId, made)
}

function firstFree(taken: ReadonlyMap<string, Call>, kind: string): string {
  let callId = kind
  while (taken.has(callId)) callId += '+'
  return callId
}
