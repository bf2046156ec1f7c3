import { PlimsollError } from '@plimsoll/contracts'
import { forwardedMeta } from '../meta.js'
import type { createProtocolSteps } from '../reads.js'
import { type Members, type Sent, membersIn, metaIn } from '../rpc/messages.js'
import type { StepCaller } from '../steps.js'
import type { Exchange, InputRequests } from './exchange.js'
import type { Links } from './links.js'
import type { createLogLevels } from './log-levels.js'

/** Rounds of questions in one request. */
const ROUNDS_MAX = 32

const isSampling = ({ method }: Sent): boolean => method === 'sampling/createMessage'

export interface QuestionsOptions {
  readonly links: Pick<Links, 'request'>
  readonly logLevels: Pick<ReturnType<typeof createLogLevels>, 'pass'>
  readonly protocolStep: ReturnType<typeof createProtocolSteps>
  readonly callerIn: (exchange: Exchange) => Promise<StepCaller>
}

/** What servers ask their client within its requests: sampling, forms, roots. Sampling leaves only as a step that may run. */
export function createQuestions({ links, logLevels, protocolStep, callerIn }: QuestionsOptions) {
  /** The questions in `asking`, as the client may get them. Proposes the sampling among them; rejects if one may not reach the client's model. */
  async function admit(server: string, asking: Members, exchange: Exchange): Promise<InputRequests> {
    const requests = membersIn(asking, 'inputRequests') as InputRequests
    const admitted: Record<string, Sent> = {}
    for (const [name, sent] of Object.entries(requests)) {
      admitted[name] = isSampling(sent) ? await admitSampling(server, sent, exchange) : sent
    }
    return admitted
  }

  async function admitSampling(server: string, { method, params }: Sent, exchange: Exchange): Promise<Sent> {
    // What the client would add of its context cannot be judged, and its model may repeat it to the server.
    const { includeContext: _, ...own } = { ...params }
    const caller = { ...(await callerIn(exchange)), isWithin: true }
    await protocolStep(method, { server, params: own, caller, forward: async () => ({}) })
    return { method, params: own }
  }

  /** Sends a request, and again with the client's answers as long as the server has questions. */
  async function inRounds(
    server: string,
    sent: Sent,
    { exchange }: StepCaller,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Members> {
    const { inputResponses } = exchange
    let given: Members = inputResponses === undefined ? {} : { inputResponses }
    for (let round = 0; round < ROUNDS_MAX; round++) {
      await logLevels.pass(server, exchange)
      const params = { ...sent.params, ...given }
      const result = await links.request(server, { ...sent, params }, exchange, headers)
      if (result['resultType'] !== 'input_required') return result
      const requests = await admit(server, result, exchange)
      const responses = await exchange.ask(requests, forwardedMeta(metaIn(result)))
      const { requestState } = result
      given = {
        ...(Object.keys(requests).length > 0 && { inputResponses: responses }),
        ...(requestState !== undefined && { requestState }),
      }
    }
    throw new PlimsollError(
      'tool_server_failed',
      `MCP server \`${server}\` has asked more than ${ROUNDS_MAX} times`,
    )
  }

  return { admit, inRounds }
}
