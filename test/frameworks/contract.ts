import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createDesk, LETTER, type Desk, type Script } from './desk.js'

/** Runs an agent of the real framework at `desk` with a model that follows `script`; gives what the model got for each of its calls. */
export type Drive = (desk: Desk, script: Script) => Promise<readonly string[]>

const LIST = { tool: 'list_files', arguments: { path: '/desk' } }
const DELETE = { tool: 'delete_file', arguments: { path: '/desk/ledger.txt' } }
const READ = { tool: 'read_email', arguments: { id: 7 } }
const LEAK = { tool: 'send_email', arguments: { to: 'press@example.org', body: LETTER } }
const REFUND = { tool: 'refund', arguments: { amount: 3, to: 'Ann Moor' } }

/** What every adapter owes, whatever the framework. */
export function testFramework(name: string, drive: Drive, { knowsTools = true } = {}): void {
  describe(name, { concurrency: 4 }, () => {
    test('a step that may run runs, and the model gets its result', async (t) => {
      const desk = await createDesk(t)
      const [reported] = await drive(desk, [[LIST]])
      assert.deepEqual(desk.ran, [LIST])
      assert.match(reported ?? '', /ledger\.txt/)
    })

    test('a mail with confidential data is blocked, and the model gets the reason', async (t) => {
      const desk = await createDesk(t)
      const [, reported] = await drive(desk, [[READ], [LEAK]])
      assert.deepEqual(desk.ran, [READ])
      assert.match(reported ?? '', /`send_email` was blocked: .*carries sensitive data/)
    })

    test('a read and a send in one turn do not race', async (t) => {
      const desk = await createDesk(t)
      await drive(desk, [[READ, LEAK]])
      assert.deepEqual(desk.ran, [READ])
    })

    test('what a human approves runs, and nothing else', async (t) => {
      const desk = await createDesk(t, { resolution: 'approved' })
      const [reported] = await drive(desk, [[REFUND]])
      assert.deepEqual(desk.ran, [REFUND])
      assert.match(reported ?? '', /refunded/)
    })

    test('what a human denies does not run', async (t) => {
      const desk = await createDesk(t)
      const [reported] = await drive(desk, [[REFUND]])
      assert.deepEqual(desk.ran, [])
      assert.match(reported ?? '', /`refund` was blocked/)
    })

    test('a tool that throws counts as failed', async (t) => {
      const desk = await createDesk(t)
      desk.failing.add('list_files')
      const reported = await drive(desk, [[LIST], [DELETE], [LIST], [DELETE]])
      assert.deepEqual(desk.ran, [LIST, LIST, DELETE], 'files that could not be listed were not looked at')
      assert.match(reported[1] ?? '', /`delete_file` was blocked/)
    })

    test(`the session ${knowsTools ? 'gets' : 'does not get'} the names of the tools by itself`, async (t) => {
      const desk = await createDesk(t)
      const names = new Set<string>()
      Object.assign(desk.session, {
        addTools: (added: Iterable<string>) => [...added].forEach((tool) => names.add(tool)),
      })
      await drive(desk, [[LIST]])
      assert.deepEqual([...names], knowsTools ? desk.tools.map((tool) => tool.name) : [])
    })

    test('once the session is over nothing runs', async (t) => {
      const desk = await createDesk(t)
      await desk.session.end()
      await drive(desk, [[LIST]]).catch(() => {})
      assert.deepEqual(desk.ran, [])
    })
  })
}
