import { approveCommand } from '@plimsoll/client'
import { type KeptApproval, KEPT_ID } from '@plimsoll/client/services'
import { type PermittedScope, PlimsollError } from '@plimsoll/contracts'
import type { GivenApproval } from '@plimsoll/gateway'
import type { Environment } from '@plimsoll/runtime'
import { type OpenRequest, type findRequest, gatewayKeySettings, placesOf } from '../../approval-places.js'
import { type Context, type ExitCode, defineCommand, environmentOf, flag, json } from '../../command.js'
import { jsonLine, plainLines, plainText, timeText } from '../../format/text.js'
import { ownCommand } from '../../own-command.js'
import { keptApprovals, stateSettings } from '../../user-state.js'
import { isConfirmed, verdictOn } from './watch-answer.js'

const { gatewayUrl, apiKey } = gatewayKeySettings
/** What finds requests outside of Kafka. */
export const placeSettings = { ...stateSettings, gatewayUrl, apiKey: { ...apiKey, isRequired: false } }

const BEYOND: Readonly<Record<PermittedScope, string>> = {
  once: '',
  session: 'for the session',
  always: 'for all sessions on this machine',
}

/** Answers a request outside of Kafka. */
export async function answerAt(
  { place, request }: NonNullable<Awaited<ReturnType<typeof findRequest>>>,
  approval: GivenApproval,
  { isSure, mayBeUnseen }: { readonly isSure: boolean; readonly mayBeUnseen: boolean },
  { stdout, stderr, ask }: Context,
): Promise<ExitCode> {
  const { resolution, by, isToKeep = false } = approval
  const scope = isToKeep ? 'always' : (approval.scope ?? 'once')
  if (!request.scopes.includes(scope))
    throw new PlimsollError(
      'usage_invalid',
      `decision \`${request.decisionId}\` permits no approval ${BEYOND[scope]}: leave \`--${scope}\` out`,
    )
  stdout.write(plainLines(`${request.lines.join('\n')}\nExpires: ${timeText(request.expiresAt)}\n`))
  if (request.isSeen === false && resolution === 'approved' && !mayBeUnseen)
    throw new PlimsollError(
      'arguments_unseen',
      `nothing was answered, because the gateway has not seen the arguments of \`${request.tool}\`: its client keeps texts to itself, or another gateway has them. Approve it where the agent runs; \`--deny\` needs no sight, \`--unseen\` approves without`,
    )
  if (!isSure && !(await isConfirmed(ask, resolution === 'denied' ? 'deny' : 'approve'))) {
    stderr.write('plimsoll: nothing was answered\n')
    return 1
  }
  const decision = await place.answer(request, approval)
  const next = resolution === 'approved' ? '; it runs when the agent calls the tool again' : ''
  const how = `${resolution}${BEYOND[scope] && ` ${BEYOND[scope]}`}`
  stdout.write(`${how} by ${plainText(by)}${next}\n`)
  if (!decision) return 0
  const { exitCode, text, failure } = verdictOn({ kind: 'decision', decision }, resolution, 0)
  stdout.write(text)
  if (failure !== undefined) stderr.write(`plimsoll: ${failure}\n`)
  return exitCode
}

/** Throws `approval_unknown`, naming the places, where nothing says how to reach a deployment. */
export function assertDeployment(decisionId: string, env: Environment): void {
  if (env['KAFKA_BROKERS'] !== undefined || env['PLIMSOLL_SIGNING_KEY'] !== undefined) return
  throw new PlimsollError(
    'approval_unknown',
    `no open request \`${decisionId}\` on this machine${env['PLIMSOLL_API_KEY'] === undefined ? '' : ' or at the gateway'}: it was answered, has expired, ended with its \`plimsoll mcp\`, or is elsewhere. For a gateway set \`PLIMSOLL_GATEWAY_URL\` and \`PLIMSOLL_API_KEY\` of a principal that may approve (\`plimsoll up\` prints both with the request); for Kafka set \`KAFKA_BROKERS\` and \`PLIMSOLL_SIGNING_KEY\``,
  )
}

/** Says where it has looked. */
const nothingText = ({ PLIMSOLL_GATEWAY_URL: url, PLIMSOLL_API_KEY: key }: Environment): string =>
  url !== undefined && key !== undefined
    ? plainLines(`nothing waits for approval, on this machine and at ${url}\n`)
    : 'nothing waits for approval in `plimsoll mcp` on this machine; to ask a gateway too, set `PLIMSOLL_GATEWAY_URL` and `PLIMSOLL_API_KEY`; `plimsoll up` prints both with each request\n'

export const approvalsList = defineCommand({
  name: 'approvals list',
  summary: 'lists what waits for approval, and the approvals that this machine keeps',
  description:
    'Shows each step that waits for a human, with the command that answers it. Reads the requests of `plimsoll mcp` on this machine and, with `PLIMSOLL_GATEWAY_URL` and `PLIMSOLL_API_KEY`, those of a gateway. Over Kafka, `plimsoll sessions list` shows the sessions that wait. `--kept` lists the approvals for all sessions that `plimsoll mcp` has kept on this machine instead; `plimsoll approvals forget` removes one.',
  options: { kept: flag('lists the kept approvals instead'), json },
  environment: environmentOf(placeSettings),
  examples: [
    ['', 'what waits for you'],
    ['--kept', 'what you have approved for all sessions'],
  ],
  async run({ kept, json: asJson }, _, { env, stdout }) {
    const all = kept ? await keptApprovals(env).list() : await openRequests(env)
    const plimsoll = ownCommand(env, process.cwd())
    if (asJson) stdout.write(jsonLine(all))
    else if (all.length === 0) stdout.write(kept ? 'no approvals are kept\n' : nothingText(env))
    else
      for (const each of all)
        stdout.write(plainLines('id' in each ? keptText(each) : requestText(each, plimsoll)))
    return 0
  },
})

const openRequests = async (env: Environment): Promise<readonly OpenRequest[]> =>
  (await Promise.all(placesOf(env).map((place) => place.list()))).flat()

function requestText({ lines, decisionId, scopes, expiresAt }: OpenRequest, plimsoll: string): string {
  const choices = scopes.filter((scope) => scope !== 'once').map((scope) => `--${scope}`)
  const options = choices.length > 0 ? ` [${choices.join(' | ')}]` : ''
  return `${lines.join('\n')}\nExpires: ${timeText(expiresAt)}\nAnswer:  ${approveCommand(decisionId, plimsoll)}${options}\n\n`
}

function keptText({ id, tool, argumentsDigest, reasons, by, expiresAt }: KeptApproval): string {
  const covered =
    argumentsDigest === undefined ? 'any arguments' : `the arguments ${argumentsDigest.slice(0, 12)}…`
  return `${id}  ${tool} with ${covered}, for ${reasons.join(', ')}; by ${by}, until ${timeText(expiresAt)}\n`
}

export const approvalsForget = defineCommand({
  name: 'approvals forget',
  summary: 'removes an approval that this machine keeps',
  description:
    'Removes an approval for all sessions of `plimsoll mcp`. Running proxies ask again at the next step like it, unless their session had used it already; that lasts until the session ends.',
  operands: [['<APPROVAL_ID>', 'its id, as `plimsoll approvals list --kept` shows it']],
  options: {},
  environment: environmentOf(stateSettings),
  examples: [['always-0f3a55c2d911', 'the next session asks again']],
  async run(_, [id = ''], { env, stdout }) {
    if (!KEPT_ID.test(id) || !(await keptApprovals(env).forget(id)))
      throw new PlimsollError(
        'approval_unknown',
        `no approval \`${id}\` is kept on this machine: \`plimsoll approvals list --kept\` lists them`,
      )
    stdout.write(`${id} is forgotten\n`)
    return 0
  },
})
