import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PlimsollClient } from '@plimsoll/client'
import type { Page } from 'playwright-core'
import { withBrowser, withoutBrowser } from '../../support/browser.js'
import { withConsole } from '../../support/console-world.js'
import { waitUntil } from '../../support/wait-until.js'
import { addressFor, openPage, show, textOf } from './page.js'

const UNKNOWN = { tool: 'frobnicate', arguments: { level: 11 } }

async function startReader(client: PlimsollClient, agent: string) {
  const session = await client.startSession({ agent })
  await session.complete(await session.propose({ tool: 'read_file', arguments: { path: 'notes.md' } }))
  return session
}

const agentsIn = (page: Page) => page.locator('.session-row a.open').allInnerTexts()

test('a long list draws what is seen, and every row is reached', { skip: withoutBrowser }, async () => {
  const sessions = 120
  await withConsole('embedded', async ({ connect, console }) => {
    const client = await connect()
    await Promise.all(Array.from({ length: sessions }, (_, at) => startReader(client, `agent-${at}`)))
    await withBrowser(async (browser) => {
      const { page, problems } = await openPage(browser, addressFor(console.url, 'vera'))
      await waitUntil('all sessions', async () =>
        (await textOf(page, '#sessions-title')).endsWith(` ${sessions}`),
      )
      assert.ok((await page.locator('.session-row').count()) < 60)
      assert.equal(await page.locator('.session-table').getAttribute('aria-rowcount'), String(sessions + 1))
      const seen = new Set<unknown>()
      for (let at = 0; at < sessions; at++) {
        await page.keyboard.press('j')
        // The rows below are drawn in the frame after the list has scrolled.
        await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
        seen.add(await page.evaluate('document.activeElement.innerText'))
      }
      assert.equal(seen.size, sessions)
      assert.ok((await page.locator('.session-row').count()) < 60)
      assert.deepEqual(problems, [])
    })
  })
})

test(
  'rows keep their place while somebody is in the list, and filters narrow it',
  { skip: withoutBrowser },
  async () => {
    await withConsole('embedded', async ({ connect, console }) => {
      const client = await connect()
      const [first, second] = [await startReader(client, 'first'), await startReader(client, 'second')]
      await withBrowser(async (browser) => {
        const { page } = await openPage(browser, addressFor(console.url, 'vera'))
        await page.locator('.session-row').nth(1).waitFor()
        await page.keyboard.press('j')
        const before = await agentsIn(page)
        // The one below is more at risk now.
        const lower = before[1] === 'second' ? second : first
        assert.equal((await lower.propose(UNKNOWN)).verdict, 'confirm')
        await page.locator('.session-row .flag.question').waitFor()
        assert.deepEqual(await agentsIn(page), before)
        await page.getByRole('button', { name: 'Sort now: 2 moved' }).waitFor()
        await page.keyboard.press('r')
        assert.deepEqual(await agentsIn(page), before.toReversed())

        await page.getByLabel('Had verdict').selectOption('confirm')
        assert.deepEqual(await agentsIn(page), before.slice(1))
        await page.getByRole('button', { name: 'Clear' }).click()
        await page.getByLabel('Agent').selectOption('first')
        assert.deepEqual(await agentsIn(page), ['first'])
        // A filter stays while somebody looks at a session.
        await page.locator('.session-row a.open').click()
        await page.locator('.timeline').waitFor()
        await page.keyboard.press('f')
        await page.locator('.session-row').waitFor()
        assert.deepEqual(await agentsIn(page), ['first'])
      })
    })
  },
)

test('identical questions stand together and are answered together', { skip: withoutBrowser }, async () => {
  await withConsole('embedded', async ({ connect, console }) => {
    const client = await connect()
    const resolutions = ['one', 'two', 'three'].map(async (agent) => {
      const session = await client.startSession({ agent })
      return session.resolution(await session.propose(UNKNOWN), { timeoutMs: 60_000 })
    })
    await withBrowser(async (browser) => {
      const { page, problems } = await openPage(browser, addressFor(console.url, 'omar'))
      await show(page, '#/queue')
      await page.getByText('3 identical', { exact: true }).waitFor()
      assert.equal(await page.locator('.groups .open').count(), 1)
      assert.match(await textOf(page, '.others'), /2 identical questions of other steps/)
      await page.keyboard.press('a')
      await page.getByLabel('The same answer for all 3 identical questions').check()
      await page.locator('dialog button[type=submit]').click()
      await page.getByText('3 questions: Approved. The step may run.').waitFor()
      await page.getByText('Nobody waits for an answer.').waitFor()
      assert.deepEqual(problems, [])
    })
    const answers = await Promise.all(resolutions)
    assert.deepEqual(
      answers.map(({ mayRun }) => mayRun),
      [true, true, true],
    )
  })
})
