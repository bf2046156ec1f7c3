/**
 * An MCP server over stdio with Ann's calendars and her mail. Mail goes nowhere: each is a line of JSON in the file
 * CALENDAR_OUTBOX, if it is set. Its tools are labelled in their `_meta`, which `npx plimsoll label -- node examples/calendar/server.mjs` reads.
 */
import { appendFile } from 'node:fs/promises'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { z } from 'zod'
import { createCalendar } from './calendar.mjs'

const LABELS = 'dev.plimsoll/labels'
const time = z.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/, 'expected a time such as 2026-11-26T10:00')

const calendar = createCalendar()
const server = new McpServer({ name: 'calendar', version: '1.0.0' })

const text = (value) => ({ content: [{ type: 'text', text: JSON.stringify(value) }] })
const failure = (message) => ({ content: [{ type: 'text', text: message }], isError: true })

server.registerTool(
  'list_events',
  {
    description: 'Lists the events of a calendar. In the work calendar, private events are shown as busy.',
    inputSchema: { calendar: z.enum(['work', 'private']) },
    annotations: { readOnlyHint: true },
    _meta: {
      [LABELS]: {
        capability: 'read',
        confidentiality: 'sensitive',
        trust: 'untrusted',
        reversibility: 'reversible',
      },
    },
  },
  ({ calendar: name }) => text(calendar.list(name)),
)

server.registerTool(
  'update_event',
  {
    description: 'Moves an event to another time. Tells nobody.',
    inputSchema: { id: z.string(), start: time, end: time },
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
    _meta: { [LABELS]: { capability: 'write', confidentiality: 'internal', reversibility: 'partial' } },
  },
  ({ id, start, end }) => {
    const moved = calendar.move(id, start, end)
    return moved ? text(moved) : failure(`there is no event \`${id}\``)
  },
)

server.registerTool(
  'send_email',
  {
    description: 'Sends an e-mail.',
    inputSchema: { to: z.array(z.email()).min(1), subject: z.string(), body: z.string() },
    annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: true },
    _meta: { [LABELS]: { capability: 'network', reversibility: 'irreversible' } },
  },
  async (mail) => {
    const { CALENDAR_OUTBOX: outbox } = process.env
    if (outbox) await appendFile(outbox, `${JSON.stringify(mail)}\n`)
    return text({ sent: mail.to.length })
  },
)

await server.connect(new StdioServerTransport())
