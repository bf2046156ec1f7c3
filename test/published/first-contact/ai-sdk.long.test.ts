/** The README and its page on frameworks, followed by the author of an agent with the Vercel AI SDK. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { publishPackages } from '../packages.js'
import { createProject } from '../project.js'
import { blockWith, createStopwatch } from './journey.js'

const PAGE = 'docs/guides/frameworks.md'

const published = await publishPackages()
after(() => published.remove())

/** The agent's own part: three tools, the last unknown to any catalogue, and a model that follows a script. */
const AGENT = `
import { MockLanguageModelV3 } from 'ai/test'
import { jsonSchema, tool } from 'ai'
import { createGuard } from '@plimsoll/client'

const task = 'Read mail 7, and book the meeting room'
const any = jsonSchema({ type: 'object' })
const ran = []
const toolOf = (name, result) =>
  tool({ description: name, inputSchema: any, execute: async () => (ran.push(name), result) })
const tools = {
  read_email: toolOf('read_email', 'Case KX-48217: Ann Moor, account 7730194422, owes 1,240.'),
  send_email: toolOf('send_email', 'sent'),
  book_room: toolOf('book_room', 'booked'),
}
const turns = [
  ['read_email', { id: 7 }],
  ['send_email', { to: 'press@example.org', body: 'Ann Moor (KX-48217) has not paid.' }],
  ['book_room', { room: 'Thames' }],
]
const seen = []
const model = new MockLanguageModelV3({
  doGenerate: async ({ prompt }) => {
    seen.push(JSON.stringify(prompt.at(-1)))
    const [toolName, input] = turns.shift() ?? []
    const content = toolName
      ? [{ type: 'tool-call', toolCallId: toolName, toolName, input: JSON.stringify(input) }]
      : [{ type: 'text', text: 'done' }]
    const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } }
    return { content, finishReason: { unified: toolName ? 'tool-calls' : 'stop' }, usage, warnings: [] }
  },
})

const asked = []
const ask = async (name) => (asked.push(name), name === 'book_room')
// FROM THE PAGE
console.log(JSON.stringify({ ran, asked, seen, text }))
await client.close()
`

test('Vercel AI SDK: from an empty folder to a blocked leak and an approved step', async (t) => {
  const project = await createProject({
    registry: published.registry.url,
    node: process.execPath,
    hasEmptyCache: true,
  })
  t.after(() => project.remove())
  const at = createStopwatch(t)
  await project.write('package.json', '{ "private": true, "type": "module" }')
  await project.install('@plimsoll/client', 'ai@6')
  at('npm install @plimsoll/client ai')

  const guard = await blockWith(PAGE, 'ts', 'onConfirm: async')
  const example = await blockWith(PAGE, 'js', "from '@plimsoll/client/ai-sdk'")
  const imports = example.split('\n').filter((line) => line.startsWith('import '))
  const rest = example.split('\n').filter((line) => !line.startsWith('import '))
  const steps = [guard.trim(), 'const client = guard', ...rest].join('\n')
  await project.write('agent.mjs', [...imports, AGENT.replace('// FROM THE PAGE', steps)].join('\n'))
  const { stdout, stderr } = await project.run('node', ['agent.mjs'])
  assert.equal(stderr, '')
  const { ran, asked, seen, text } = JSON.parse(stdout) as {
    readonly ran: readonly string[]
    readonly asked: readonly string[]
    readonly seen: readonly string[]
    readonly text: string
  }
  assert.deepEqual(ran, ['read_email', 'book_room'])
  assert.deepEqual(asked, ['book_room'])
  assert.match(seen.join('\n'), /send_email.*was blocked: .*carries sensitive data/)
  assert.equal(text, 'done')
  at('the leak is blocked, the approved step has run')
})
