import type { Catalogue, ClaimedLabels } from '@plimsoll/contracts'
import { createLabeller } from '@plimsoll/labels'
import { contentsOf, readableIn, textsOf } from './calls.js'
import { type Members, isObject } from './rpc/messages.js'
import { type StepCaller, type Steps, refusedError, stampOf, stamped } from './steps.js'
import type { OfferedTool } from './tools/offer.js'

/** Requests of the protocol that are steps, under their own names in catalogue and policy. */
export const STEP_METHODS = [
  'resources/read',
  'prompts/get',
  'tasks/result',
  'sampling/createMessage',
] as const
export type StepMethod = (typeof STEP_METHODS)[number]

/** The arguments of such a step: what a policy can tell apart, and what would leave. */
const ARGUMENTS: Readonly<Record<StepMethod, readonly string[]>> = {
  'resources/read': ['uri'],
  'prompts/get': ['name', 'arguments'],
  'tasks/result': ['taskId'],
  'sampling/createMessage': ['messages', 'systemPrompt'],
}

/** What the result of such a step reports to its session. */
const READABLE: Readonly<Record<StepMethod, (result: Members) => unknown>> = {
  'resources/read': ({ contents }) =>
    Array.isArray(contents) ? contents.filter(isObject).flatMap(contentsOf) : [],
  'prompts/get': ({ description, messages }) => [
    ...(typeof description === 'string' ? [description] : []),
    ...(Array.isArray(messages) ? messages.filter(isObject).flatMap(({ content }) => textsOf(content)) : []),
  ],
  'tasks/result': readableIn,
  // The model's answer goes to the server, not to the session.
  'sampling/createMessage': () => [],
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
    method: StepMethod,
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
    const args = Object.fromEntries(
      ARGUMENTS[method].filter((name) => params[name] !== undefined).map((name) => [name, params[name]]),
    )
    const step = await steps(caller, offered, args, async () => {
      const result = await forward()
      return { result, report: { outcome: 'ok', result: READABLE[method](result) } }
    })
    const stamp = step.answer ? stampOf({ ...caller, offered }, step.answer) : {}
    if ('refused' in step) throw refusedError(step.refused, stamp)
    return method === 'sampling/createMessage' ? step.ran : stamped(step.ran, stamp)
  }
}
