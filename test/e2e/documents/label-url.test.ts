import assert from 'node:assert/strict'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { runCli } from '../cli-process.js'

async function serving(listener: RequestListener, work: (url: string) => Promise<void>): Promise<void> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`)
  } finally {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
}

/** A server of the official SDK with one tool. */
function mcpServer(): Server {
  const server = new Server({ name: 'pages', version: '1' }, { capabilities: { tools: {} } })
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: [{ name: 'delete_page', inputSchema: { type: 'object' } }],
  }))
  return server
}

const streamable: RequestListener = (request, response) => {
  if (request.headers.authorization !== 'Bearer one') {
    response.writeHead(401).end()
    return
  }
  const transport = new StreamableHTTPServerTransport({})
  response.once('close', () => void transport.close())
  void mcpServer()
    .connect(transport as Transport)
    .then(() => transport.handleRequest(request, response))
}

const HEADER = ['--header', 'authorization=PAGES_KEY']

test('labels the tools of a server at a URL, with its secret in a variable', () =>
  serving(streamable, async (url) => {
    const { code, stdout, stderr } = await runCli(['label', ...HEADER, url], {
      env: { PAGES_KEY: 'Bearer one' },
    })
    assert.deepEqual([code, stderr], [0, ''])
    assert.match(stdout, /^delete_page +write +irreversible/m)
  }))

test('labels the tools of a server that has only the older transport', () => {
  const open = new Map<string, SSEServerTransport>()
  const sse: RequestListener = (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost')
    if (request.method === 'GET') {
      const transport = new SSEServerTransport('/message', response)
      open.set(transport.sessionId, transport)
      void mcpServer().connect(transport)
    } else if (pathname === '/message')
      void open.get(searchParams.get('sessionId') ?? '')?.handlePostMessage(request, response)
    else response.writeHead(405).end()
  }
  return serving(sse, async (url) => {
    const { code, stdout, stderr } = await runCli(['label', url])
    assert.deepEqual([code, stderr], [0, ''])
    assert.match(stdout, /^delete_page +write +irreversible/m)
  })
})

test('the error says why the tools of a URL cannot be listed, without the secret', async () => {
  const rows: readonly (readonly [args: readonly string[], code: number, message: RegExp])[] = [
    [
      ['http://127.0.0.1:9/mcp?key=hidden'],
      1,
      /tool_server_failed: `http:\/\/127\.0\.0\.1:9\/mcp` lists no tools: /,
    ],
    [[...HEADER, 'http://127.0.0.1:9/mcp'], 2, /usage_invalid: `--header`: `PAGES_KEY` is not set/],
    [
      ['--header', 'authorization: Bearer hidden', 'http://127.0.0.1:9/mcp'],
      2,
      /usage_invalid: `--header` takes `NAME=VARIABLE`/,
    ],
    [[...HEADER, '--', 'some-server'], 2, /usage_invalid: `--header` is for a server at a URL/],
  ]
  for (const [args, code, message] of rows) {
    const ended = await runCli(['label', ...args])
    assert.equal(ended.code, code, ended.stderr)
    assert.match(ended.stderr, message)
    assert.doesNotMatch(ended.stderr, /hidden/)
  }
  await serving(streamable, async (url) => {
    const refused = await runCli(['label', url])
    assert.match(
      refused.stderr,
      /tool_server_failed: .*it answers 401: put its token into a variable, and name it with `--header authorization=VARIABLE`/,
    )
  })
  const page: RequestListener = (_, response) => void response.writeHead(200).end('<html>')
  await serving(page, async (url) => {
    const refused = await runCli(['label', '--timeout', '3s', url])
    assert.equal(refused.code, 1)
    assert.match(refused.stderr, /tool_server_failed: /)
  })
})
