import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseServers } from './servers-file.js'

const HEAD = 'schema: 1\nkind: plimsoll.mcp-servers\n'

test('reads a servers file, with defaults', () => {
  const { servers, requireLabels } = parseServers(
    `${HEAD}servers:\n  files: { command: npx, args: [-y, server] }\n  mail: { url: 'https://mail.example/mcp', headers: { authorization: MAIL_TOKEN } }\n`,
    'a',
  )
  assert.equal(requireLabels, false)
  assert.deepEqual(servers['files'], {
    command: 'npx',
    args: ['-y', 'server'],
    env: [],
    prefix: true,
    trustNames: false,
  })
  assert.deepEqual(servers['mail'], {
    url: 'https://mail.example/mcp',
    headers: { authorization: 'MAIL_TOKEN' },
    prefix: true,
    trustNames: false,
  })
})

for (const [what, text] of [
  ['no servers', 'servers: {}'],
  ['a name with the separator', 'servers: { a__b: { command: x } }'],
  ['a name in capitals', 'servers: { Mail: { command: x } }'],
  ['two without a prefix', 'servers: { a: { command: x, prefix: false }, b: { command: y } }'],
  ['a member that is unknown', 'servers: { a: { command: x, trust: true } }'],
  ['an address that is none of the web', 'servers: { a: { url: "file:///etc/passwd" } }'],
  ['neither command nor address', 'servers: { a: {} }'],
  ['no YAML', 'servers: {'],
] as const)
  test(`refuses a servers file: ${what}`, () => {
    assert.throws(() => parseServers(HEAD + text, 'a'), { code: 'document_invalid' })
  })
