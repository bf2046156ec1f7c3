import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test, type TestContext } from 'node:test'
import { officialServer } from '../documents/mcp-servers.js'
import { connectStdio, ERAS, plimsoll, textOf } from './clients.js'

async function folderFor(t: TestContext): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'mcp-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** The three official servers in one file, under the names that prefix their tools. */
async function serversFile(folder: string): Promise<string> {
  const commandOf = ([command, ...args]: readonly string[], more = {}) => ({
    command,
    args,
    trustNames: true,
    ...more,
  })
  const [node = '', script = ''] = officialServer('filesystem')
  const servers = {
    files: commandOf([node, script, folder]),
    memory: commandOf(officialServer('memory'), { env: ['MEMORY_FILE_PATH'] }),
    everything: commandOf(officialServer('everything')),
  }
  const file = path.join(folder, 'servers.json')
  await writeFile(file, JSON.stringify({ schema: 1, kind: 'plimsoll.mcp-servers', servers }))
  return file
}

for (const era of ERAS)
  test(`official servers behind the proxy serve an official client of ${era}`, async (t) => {
    const folder = await folderFor(t)
    const env = { MEMORY_FILE_PATH: path.join(folder, 'memory.jsonl') }
    const client = await connectStdio(era, plimsoll('mcp', '--servers', await serversFile(folder)), { env })
    t.after(() => client.close())

    const names = (await client.tools()).map(({ name }) => name)
    assert.equal(names.filter((name) => name.startsWith('files__')).length, 14)
    assert.equal(names.filter((name) => name.startsWith('memory__')).length, 9)
    assert.ok(names.includes('everything__get-sum'))
    assert.equal(new Set(names).size, names.length)

    const note = path.join(folder, 'note.txt')
    const written = await client.call('files__write_file', { path: note, content: 'five crates' })
    assert.notEqual(written.isError, true, textOf(written))
    assert.equal(await readFile(note, 'utf8'), 'five crates')
    const read = await client.call('files__read_text_file', { path: note })
    assert.equal(textOf(read), 'five crates')
    assert.deepEqual(read.structuredContent, { content: 'five crates' })
    assert.equal(read.meta['dev.plimsoll/session'], written.meta['dev.plimsoll/session'])
    assert.deepEqual(read.meta['dev.plimsoll/labels'], {
      capability: 'read',
      confidentiality: 'internal',
      trust: 'untrusted',
      reversibility: 'reversible',
    })

    const entity = { name: 'Ines', entityType: 'person', observations: ['loads crates'] }
    const created = await client.call('memory__create_entities', { entities: [entity] })
    assert.notEqual(created.isError, true, textOf(created))
    assert.match(textOf(await client.call('memory__search_nodes', { query: 'Ines' })), /loads crates/)

    // A refusal by the server itself is returned unchanged.
    const outside = await client.call('files__read_text_file', { path: '/etc/hostname' })
    assert.equal(outside.isError, true)
    assert.match(textOf(outside), /outside allowed directories/)
    await assert.rejects(client.call('files__nothing'), /there is no tool/)
  })

/** The files of the desktop's user are one server, their chat is another, and each has a proxy of its own. */
test('what the server of one entry has read, the server of another does not send out', async (t) => {
  const folder = await folderFor(t)
  const note = path.join(folder, 'customer.txt')
  await writeFile(note, 'Ann Moor, IBAN DE89370400440532013000, owes 1,240.')
  const env = { PLIMSOLL_STATE_DIR: path.join(folder, 'state') }
  const [node = '', script = ''] = officialServer('filesystem')
  const chatEnv = { ...env, SLACK_BOT_TOKEN: 'xoxb-dummy', SLACK_TEAM_ID: 'T0' }
  const [files, chat] = await Promise.all([
    connectStdio('2025-11-25', plimsoll('mcp', '--', node, script, folder), { env }),
    connectStdio('2025-11-25', plimsoll('mcp', '--', ...officialServer('slack')), { env: chatEnv }),
  ])
  t.after(() => Promise.all([files.close(), chat.close()]))
  const read = await files.call('read_text_file', { path: note })
  assert.match(textOf(read), /DE89370400440532013000/)
  const leak = { channel_id: 'C0', text: 'Ann Moor owes 1,240, her account is DE89370400440532013000' }
  const posted = await chat.call('slack_post_message', leak)
  assert.equal(posted.isError, true)
  assert.match(textOf(posted), /was blocked/)
})
