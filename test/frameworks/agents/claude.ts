import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createSdkMcpServer, query, tool, type Options } from '@anthropic-ai/claude-agent-sdk'
import * as z from 'zod'
import type { Desk, Script } from '../desk.js'
import { serveMessages } from '../messages-server.js'

/** What Claude Code puts before the names of the desk's tools. */
export const PREFIX = 'mcp__desk__'

const text = z.string().optional()
/** Arguments of any of the desk's tools. */
const ANY = { path: text, to: text, body: text, id: z.number().optional(), amount: z.number().optional() }

/** The desk's own name of one of its tools. */
export const deskName = ({ tool_name }: { readonly tool_name: string }): string =>
  tool_name.replace(PREFIX, '')

/** Runs Claude Code's own process at `desk` against a model on 127.0.0.1; gives what the model got for each of its calls. */
export async function runClaude(
  desk: Desk,
  script: Script,
  hooks: Options['hooks'],
  more: Pick<Options, 'allowedTools' | 'permissionMode'> = {},
): Promise<readonly string[]> {
  const home = await mkdtemp(path.join(tmpdir(), 'plimsoll-claude-'))
  const model = await serveMessages(script, (name) => (isDesks(desk, name) ? PREFIX + name : name))
  const tools = desk.tools.map(({ name, description, run }) =>
    tool(name, description, ANY, async (values) => ({ content: [{ type: 'text', text: run(values) }] })),
  )
  try {
    const options: Options = {
      cwd: home,
      env: claudeEnvironment(home, model.url),
      settingSources: [],
      mcpServers: { desk: createSdkMcpServer({ name: 'desk', tools, alwaysLoad: true }) },
      allowedTools: [`${PREFIX}*`, 'Read', 'Bash'],
      ...(hooks && { hooks }),
      ...more,
    }
    for await (const message of query({ prompt: 'Go.', options }))
      if (message.type === 'result' && message.is_error) throw new Error(JSON.stringify(message))
    return model.reported()
  } finally {
    await model.close()
    await rm(home, { recursive: true, force: true, maxRetries: 5 })
  }
}

const isDesks = (desk: Desk, tool: string): boolean => desk.tools.some(({ name }) => name === tool)

/** Nothing of this machine's: neither its user's settings and keys, nor any server but ours. */
export const claudeEnvironment = (home: string, url: string): Record<string, string> => ({
  PATH: process.env.PATH ?? '',
  HOME: home,
  CLAUDE_CONFIG_DIR: path.join(home, 'config'),
  ANTHROPIC_BASE_URL: url,
  ANTHROPIC_API_KEY: 'none',
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  DISABLE_AUTOUPDATER: '1',
})
