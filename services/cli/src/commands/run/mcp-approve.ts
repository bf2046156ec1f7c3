import { type ServerReview, type ToolReview, createFilePins, reviewTools } from '@plimsoll/gateway'
import { defineCommand, flag, json, requiredText } from '../../command.js'
import { jsonLine, plainLines } from '../../format/text.js'
import { serverOptions, serversFrom } from './mcp-servers.js'

export const mcpApprove = defineCommand({
  name: 'mcp approve',
  summary: 'shows what has changed in the tools of MCP servers, and approves them as they are now',
  description:
    'Starts each server, lists its tools and ends it; it calls none. Shows what is new, changed or gone since the approval, and writes the definitions to the file of pins. Running proxies with that file then offer them.',
  operands: [['[COMMAND...]', 'after `--`, the command of one server, or its URL']],
  options: {
    pins: requiredText('FILE.json', 'the file of approved definitions'),
    ...serverOptions,
    check: flag('approves nothing; exit code 1 if anything has changed'),
    json,
  },
  examples: [
    ['--pins pins.json --servers servers.yaml --check', 'what has changed'],
    ['--pins pins.json --servers servers.yaml', 'approves them as they are now'],
    [
      '--pins pins.json -- npx -y @modelcontextprotocol/server-filesystem /srv',
      'approves a server by its command',
    ],
  ],
  async run(options, command, { env: environment, stdout }) {
    const { pins, check, json } = options
    const all = await serversFrom({ ...options, command, environment })
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
