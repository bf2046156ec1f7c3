import { type ServerReview, type ToolReview, createFilePins, reviewTools } from '@plimsoll/gateway'
import { defineCommand } from '../command.js'
import { jsonLine, plainLines } from '../format/text-table.js'
import { serversFrom } from '../mcp/servers.js'

export const mcpApprove = defineCommand({
  name: 'mcp approve',
  summary: 'shows what has changed in the tools of MCP servers, and approves them as they are now',
  description: [
    'Starts each server, asks for its tools and ends it; nothing is called. Shows what is new, changed or gone since they were approved, and',
    'writes the new definitions to the file of pins; a proxy that runs with that file offers them from then on.',
  ],
  operands: { name: 'COMMAND', help: 'after `--`, the command of one server', min: 0, max: 200 },
  options: {
    pins: { type: 'text', value: 'FILE.json', help: 'the file of approved definitions', required: true },
    servers: { type: 'text', value: 'FILE.yaml', help: 'the servers, where there are several' },
    name: { type: 'text', value: 'NAME', help: 'what the server of the command is called' },
    env: { type: 'list', value: 'NAME', help: 'a variable that the command is given from this environment' },
    only: { type: 'list', value: 'SERVER', help: 'of the file, this server alone' },
    check: { type: 'flag', help: 'approves nothing; exit code 1 where anything has changed' },
    json: { type: 'flag', help: 'one JSON object on stdout' },
  },
  examples: [
    ['--pins pins.json --servers servers.yaml --check', 'what has changed'],
    ['--pins pins.json --servers servers.yaml --only mail', 'approves one server'],
    [
      '--pins pins.json -- npx -y @modelcontextprotocol/server-filesystem /srv',
      'approves a server by its command',
    ],
  ],
  async run({ pins, servers: file, name, env, only, check, json }, command, { env: environment, stdout }) {
    const all = await serversFrom({ command, file, name, env, only })
    const store = createFilePins(pins)
    const reviews = await reviewTools({ servers: all, environment, pins: store, now: Date.now })
    if (!check) for (const review of reviews) await review.approve()
    stdout.write(
      json ? jsonLine(reviews.map(({ server, tools }) => ({ server, tools }))) : textOf(reviews, !check),
    )
    return check && reviews.some(isChanged) ? 1 : 0
  },
})

const isChanged = ({ tools }: ServerReview): boolean => tools.some(({ state }) => state !== 'approved')

function textOf(reviews: readonly ServerReview[], isApproved: boolean): string {
  const lines = reviews.flatMap((review) => {
    const { server, tools } = review
    const changes = tools.filter(({ state }) => state !== 'approved')
    const end = isApproved ? `${server}: ${tools.length - goneOf(tools)} tools approved` : undefined
    const none = changes.length === 0 && !isApproved ? `${server}: nothing has changed` : undefined
    return [...changes.map((tool) => lineOf(server, tool)), end, none].filter((line) => line !== undefined)
  })
  return plainLines(`${lines.join('\n')}\n`)
}

const goneOf = (tools: readonly ToolReview[]): number => tools.filter(({ state }) => state === 'gone').length

function lineOf(server: string, { tool, state, parts, description }: ToolReview): string {
  const what = parts.length > 0 ? `${state}: ${parts.join(', ')}` : state
  return `${server}  ${tool}  ${what}${description && `  ${description.split('\n')[0]?.slice(0, 120)}`}`
}
