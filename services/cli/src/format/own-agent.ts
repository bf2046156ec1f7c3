import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { approveCommand, causeOf } from '@plimsoll/client'
import { answerOf } from '@plimsoll/client/services'
import type { Decision } from '@plimsoll/contracts'
import { plainLines } from './text.js'

/** The pages of this release: in a clone, and in the package. */
const DOCS = new URL('../../../../docs/', import.meta.url)

/** Marks the sessions of the reader's own agents among the simulated ones. */
const MARK = '▶'

/** What to paste so that an agent of the reader's own gets a decision from the gateway at `url`. */
export const connectText = (
  url: string,
  apiKey: string,
  hasFleet: boolean,
): string => `Ask for your own agent, in another terminal:

  export GATEWAY=${url} GATEWAY_KEY=${apiKey}
  curl -sS "$GATEWAY/v1/check" -H "authorization: Bearer $GATEWAY_KEY" -H 'content-type: application/json' \\
    -d '{ "category": "research_comms", "callId": "1", "tool": "read_email", "arguments": { "id": 7 } }'

or in JavaScript, with \`npm install @plimsoll/client\`, in a file agent.mjs:

  import { connectGateway } from '@plimsoll/client/gateway'
  const client = await connectGateway({ url: '${url}', credential: '${apiKey}' })
  const session = await client.startSession({ category: 'research_comms', task: 'read mail 7' })
  console.log(await session.run({ tool: 'read_email', arguments: { id: 7 } }, ({ id }) => \`text of mail \${id}\`))
  await session.end()
  await client.close()

Its decisions appear below as ${MARK} you:…${hasFleet ? ' among those of the simulated agents; `--no-fleet` leaves these out' : ''}.

`

/** \`decision\` as it is shown, if it is about a step of the reader's own agent; undefined if it is about a simulated one. */
export function ownDecision(decision: Decision): Decision | undefined {
  const [, id] = /^default~(you:.*)$/s.exec(decision.sessionId) ?? []
  return id === undefined ? undefined : { ...decision, sessionId: `${MARK} ${id}` }
}

/** A step of the reader's own agent that waits for them, with the command that answers. */
export function requestText(
  decision: Decision,
  { url, approverKey }: { readonly url: string; readonly approverKey: string },
  plimsoll: string,
): string {
  const environment = `PLIMSOLL_GATEWAY_URL=${url} PLIMSOLL_API_KEY=${approverKey}`
  const command = `${environment} ${approveCommand(decision.id, plimsoll)}`
  return plainLines(`  it waits for you: ${causeOf(answerOf(decision))}\n  answer: ${command}\n`)
}

/** The file of a page of this release: relative to `folder` if it is below it, as in a clone. */
export function pageFile(name: string, folder: string): string {
  const docs = fileURLToPath(DOCS)
  const relative = path.relative(folder, docs)
  return path.join(relative.startsWith('..') ? docs : relative, name)
}

/** Where to go on. */
export function nextText(folder: string): string {
  const page = (name: string) => pageFile(name, folder)
  return `Next:
  connect your own agent       ${page('tutorials/first-decision.md')}
  guard MCP servers            ${page('guides/mcp.md')}
  write a policy of your own   ${page('tutorials/first-policy.md')}
  run it on Kafka and Redis    ${page('guides/install.md')}
  see every command            npx plimsoll --help
`
}
