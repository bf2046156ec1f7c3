import { ProtocolErrorCode } from '@modelcontextprotocol/server'
import type { Catalogue, ClaimedLabels } from '@plimsoll/contracts'
import { createLabeller } from '@plimsoll/labels'
import { type Readable, readableIn, readableInPrompt, readableInResources } from './readable.js'
import type { Members } from './rpc/messages.js'
import { type StepCaller, type Steps, refusedError, stampOf, stamped } from './steps.js'
import type { OfferedTool } from './tools/offer.js'

/** Requests of the protocol that are steps, under their own names in catalogue and policy. */
interface StepMethod {
  /** The arguments of the step: what a policy can distinguish, and what would leave. Default: all members. */
  readonly args?: readonly string[]
  /** What its result reports to its session. */
  readonly readable: (result: Members) => Readable
  /** The code of the error if it may not happen. Default: invalid request. */
  readonly refusedWith?: ProtocolErrorCode
}

const NOTHING: Readable = { result: [], isWhole: true }

const STEP_METHODS: ReadonlyMap<string, StepMethod> = new Map([
  ['resources/read', { args: ['uri'], readable: readableInResources }],
  ['prompts/get', { args: ['name', 'arguments'], readable: readableInPrompt }],
  ['tasks/result', { args: ['taskId'], readable: readableIn }],
  // The model's answer goes to the server, not to the session.
  ['sampling/createMessage', { readable: () => NOTHING }],
])

/**
 * A request that the protocol does not know: all of it may leave, and all that comes back is read. For its client there is no such method
 * as long as it may not happen.
 */
const UNKNOWN_METHOD: StepMethod = {
  readable: (result) => ({ result, isWhole: true }),
  refusedWith: ProtocolErrorCode.MethodNotFound,
}

export interface ProtocolStepsOptions {
  readonly steps: Steps
  readonly catalogue: Catalogue
}

export interface ProtocolStep {
  readonly server: string
  readonly params: Members
  readonly caller: StepCaller
  /** What is known of its result; can only raise the catalogue's labels. */
  readonly claimed?: ClaimedLabels
  /** Lets it happen: returns the answer of the server, or to it. */
  readonly forward: () => Promise<Members>
}

/** Proposes requests of the protocol as steps. Rejects with a protocol error that gives the reason if one may not happen. */
export function createProtocolSteps({ steps, catalogue }: ProtocolStepsOptions) {
  const label = createLabeller(catalogue)

  return async (
    method: string,
    { server, params, caller, claimed = {}, forward }: ProtocolStep,
  ): Promise<Members> => {
    const offered: OfferedTool = {
      name: method,
      asked: method,
      tool: { name: method, inputSchema: { type: 'object' } },
      server,
      claimed,
      labels: label(method),
    }
    const { args: names, readable, refusedWith } = STEP_METHODS.get(method) ?? UNKNOWN_METHOD
    const { _meta: _, ...members } = params
    const args = Object.fromEntries(
      (names ?? Object.keys(members))
        .filter((name) => members[name] !== undefined)
        .map((name) => [name, members[name]]),
    )
    const step = await steps(caller, offered, args, async () => {
      const result = await forward()
      return { result, report: { outcome: 'ok', ...readable(result) } }
    })
    const stamp = step.answer ? stampOf({ ...caller, offered }, step.answer) : {}
    if ('refused' in step) throw refusedError(step.refused, stamp, refusedWith)
    return method === 'sampling/createMessage' ? step.ran : stamped(step.ran, stamp)
  }
}
