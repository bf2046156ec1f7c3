import { type Approval, approveCommand } from '@plimsoll/client'
import { PlimsollError } from '@plimsoll/contracts'
import type { Environment } from '@plimsoll/runtime'
import { type findRequest, gatewayKeySettings, placesOf } from '../../approval-places.js'
import { type Context, type ExitCode, defineCommand, environmentOf, json } from '../../command.js'
import { jsonLine, plainLines, plainText, timeText } from '../../format/text.js'
import { ownCommand } from '../../own-command.js'
import { stateSettings } from '../../user-state.js'
import { isConfirmed, verdictOn } from './watch-answer.js'

const { gatewayUrl, apiKey } = gatewayKeySettings
/** What finds requests outside of Kafka. */
export const placeSettings = { ...stateSettings, gatewayUrl, apiKey: { ...apiKey, isRequired: false } }

/** Answers a request outside of Kafka. */
export async function answerAt(
  { place, request }: NonNullable<Awaited<ReturnType<typeof findRequest>>>,
  approval: Approval,
  isSure: boolean,
  { stdout, stderr, ask }: Context,
): Promise<ExitCode> {
  const { resolution, by, scope = 'once' } = approval
  if (!request.scopes.includes(scope))
    throw new PlimsollError(
      'usage_invalid',
      `the policy permits no approval for the session for decision \`${request.decisionId}\`: leave \`--session\` out`,
    )
  stdout.write(plainLines(`${request.lines.join('\n')}\nExpires: ${timeText(request.expiresAt)}\n`))
  if (!isSure && !(await isConfirmed(ask, resolution === 'denied' ? 'deny' : 'approve'))) {
    stderr.write('plimsoll: nothing was answered\n')
    return 1
  }
  const decision = await place.answer(request, approval)
  const next = resolution === 'approved' ? '; it runs when the agent calls the tool again' : ''
  const how = scope === 'session' ? `${resolution} for the session` : resolution
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
  summary: 'lists open approval requests of this machine, and of the gateway if one is set',
  description:
    'Shows each step that waits for a human, with the command that answers it. Reads the requests of `plimsoll mcp` on this machine and, with `PLIMSOLL_GATEWAY_URL` and `PLIMSOLL_API_KEY`, those of a gateway. Over Kafka, `plimsoll sessions list` shows the sessions that wait.',
  options: { json },
  environment: environmentOf(placeSettings),
  examples: [['', 'what waits for you']],
  async run({ json: asJson }, _, { env, stdout }) {
    const all = (await Promise.all(placesOf(env).map((place) => place.list()))).flat()
    const plimsoll = ownCommand(env, process.cwd())
    if (asJson) stdout.write(jsonLine(all))
    else if (all.length === 0) stdout.write(nothingText(env))
    else
      for (const { lines, decisionId, scopes, expiresAt } of all)
        stdout.write(
          plainLines(
            `${lines.join('\n')}\nExpires: ${timeText(expiresAt)}\nAnswer:  ${approveCommand(decisionId, plimsoll)}${scopes.includes('session') ? ' [--session]' : ''}\n\n`,
          ),
        )
    return 0
  },
})
