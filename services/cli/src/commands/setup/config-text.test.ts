import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseConfigText, unwrapEntries, wrapEntries } from './config-text.js'
import { type Entry, changed, obstacleOf, wrap, wrappedIn } from './entry.js'

const LAUNCHER = { command: '/opt/node/bin/node', args: ['/opt/plimsoll/bin/plimsoll.js'] }

const CLAUDE = `{
  "globalShortcut": "Ctrl+Space",
  "mcpServers": {
    "files": { "command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "/srv"] },
    "bare": { "command": "uvx" },
    "empty": { "command": "x", "args": [] }
  }
}
`
const CURSOR = `{"mcpServers":{"slack":{"command":"npx","args":["-y","slack"],"env":{"SLACK_BOT_TOKEN":"xoxb"},"cwd":"/srv"},
\t"docs":{"url":"https://docs.example.com/mcp","headers":{"Authorization":"Bearer t","X-Team":"a"}}}}`
const VSCODE = `{
\t// the team's servers\r
\t"inputs": [{ "type": "promptString", "id": "token", "password": true, },],\r
\t"servers": {\r
\t\t"files": {\r
\t\t\t"type": "stdio", /* here */\r
\t\t\t"command": "node",\r
\t\t\t"args": [ // what it serves\r
\t\t\t\t"\${workspaceFolder}/server.js", // ours\r
\t\t\t],\r
\t\t\t"envFile": "\${workspaceFolder}/.env",\r
\t\t\t"env": { "TOKEN": "\${input:token}", "HOME": "\${env:HOME}" },\r
\t\t},\r
\t\t"docs": { "type": "http", "url": "\${input:url}", "headers": { "Authorization": "Bearer \${input:token}" }, },\r
\t},\r
}\r
`

const FORMATS = [
  { name: 'Claude Desktop', text: CLAUDE, file: 'claude_desktop_config.json' },
  { name: 'Cursor', text: CURSOR, file: '.cursor/mcp.json' },
  { name: 'VS Code', text: VSCODE, file: '/p/.vscode/mcp.json' },
]

for (const { name, text, file } of FORMATS) {
  const config = parseConfigText(text, file)
  const names = Object.keys(config.entries)
  const wrapped = wrapEntries(config, names, LAUNCHER, ['--observe'])

  test(`${name}: each server starts Plimsoll by its absolute path, and keeps the rest`, () => {
    for (const server of names) {
      const [before = {}, after = {}] = [config.entries[server], wrapped.entries[server]]
      assert.equal(after.command, LAUNCHER.command)
      assert.deepEqual((after.args as string[]).slice(0, 3), [...LAUNCHER.args, 'mcp', '--observe'])
      const behind = wrappedIn(after)?.server
      const args = (before.args ?? []) as string[]
      assert.deepEqual(behind, 'command' in before ? [before.command, ...args] : [before.url])
      for (const kept of ['cwd', 'envFile'])
        assert.equal((after as Record<string, unknown>)[kept], (before as Record<string, unknown>)[kept])
      if ('command' in before) assert.deepEqual(after.env, before.env)
    }
    assert.deepEqual(parseConfigText(wrapped.text, file).entries, wrapped.entries)
  })

  test(`${name}: is as it was byte for byte, with what was edited since`, () => {
    assert.equal(unwrapEntries(wrapped, names, config).text, text)
    const edit = (given: string) => given.replace(/^\{/, '{ "added": 1, ')
    const edited = parseConfigText(edit(wrapped.text), file)
    const expected = parseConfigText(edit(text), file)
    const bare = unwrapEntries(edited, names, config)
    assert.deepEqual(bare.entries, expected.entries)
    assert.match(bare.text, /"added": 1/)
    if (text.includes('\n  ')) assert.equal(bare.text, expected.text)
  })

  test(`${name}: without its copy, it says the same as before`, () => {
    const { entries } = unwrapEntries(wrapped, names, undefined)
    for (const server of names)
      assert.deepEqual(changed(entries[server] ?? {}, {}), changed(config.entries[server] ?? {}, {}), server)
  })

  test(`${name}: wrapped again after other edits of a server, the edits stay`, () => {
    const [server = ''] = names
    const later = wrapEntries(unwrapEntries(wrapped, [server], config), [server], LAUNCHER, [])
    assert.deepEqual(wrappedIn(later.entries[server] ?? {})?.options, [])
  })
}

test('comments stay, also among the arguments', () => {
  const config = parseConfigText(VSCODE, '.vscode/mcp.json')
  const { text } = wrapEntries(config, ['files'], LAUNCHER, [])
  for (const comment of ["// the team's servers", '/* here */', '// what it serves', '// ours'])
    assert.ok(text.includes(comment), comment)
})

test('a header is passed in a variable, so that no secret is on a command line', () => {
  const entry: Entry = { url: 'https://d.example/mcp', headers: { Authorization: 'Bearer s3cret' } }
  const { args, env } = wrap(entry, LAUNCHER, [])
  assert.doesNotMatch(JSON.stringify(args), /s3cret/)
  assert.deepEqual(env, { MCP_HEADER_AUTHORIZATION: 'Bearer s3cret' })
})

const OBSTACLES: readonly { entry: Entry; isNamed?: boolean; found: RegExp | undefined }[] = [
  { entry: { command: 'npx' }, found: undefined },
  { entry: { url: 'https://a.example' }, found: /sign in/ },
  { entry: { url: 'https://a.example' }, isNamed: true, found: undefined },
  { entry: { url: 'https://a.example', headers: { a: 'b' } }, found: undefined },
  { entry: { type: 'sse', url: 'https://a.example', headers: { a: 'b' } }, found: /SSE/ },
  { entry: {}, found: /neither/ },
  { entry: { command: 'plimsoll', args: ['mcp', '--servers', 'a.yaml'] }, found: /servers of its own/ },
]
for (const { entry, isNamed = false, found } of OBSTACLES)
  test(`${JSON.stringify(entry)} ${found ? 'is left as it is' : 'can be wrapped'}`, () => {
    const obstacle = obstacleOf(entry, isNamed)
    if (found) assert.match(obstacle ?? '', found)
    else assert.equal(obstacle, undefined)
  })

for (const command of ['plimsoll', '/usr/local/bin/plimsoll', 'C:\\npm\\plimsoll.cmd'])
  test(`\`${command} mcp -- …\` is recognised as wrapped, however it was written`, () => {
    const { server } = wrappedIn({ command, args: ['mcp', '--pins', 'p.json', '--', 'npx', 'a'] }) ?? {}
    assert.deepEqual(server, ['npx', 'a'])
  })

test('`npx -y plimsoll@1.0.0 mcp -- …` is recognised too; a server that is called so otherwise is not', () => {
  assert.deepEqual(wrappedIn({ command: 'npx', args: ['-y', 'plimsoll@1.0.0', 'mcp', '--', 'a'] })?.server, [
    'a',
  ])
  assert.equal(wrappedIn({ command: 'npx', args: ['plimsoll-tools', 'mcp', '--', 'a'] }), undefined)
})

const INVALID: readonly (readonly [text: string, problem: RegExp])[] = [
  ['{ "mcpServers": { ', /`c.json` is not JSON: \w+ at line 1, column \d+/],
  ['[]', /is not a JSON object/],
  ['{ "mcpServers": [] }', /has `mcpServers`, which is not an object/],
  ['{ "mcpServers": { "a": 1 } }', /has `mcpServers.a`, which is not an object/],
]
for (const [text, problem] of INVALID)
  test(`refuses ${text}`, () =>
    assert.throws(() => parseConfigText(text, 'c.json'), { code: 'document_invalid', message: problem }))
