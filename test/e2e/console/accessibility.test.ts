import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { type PlimsollClient, explain } from '@plimsoll/client'
import { withBrowser, withoutBrowser } from '../../support/browser.js'
import { withConsole } from '../../support/console-world.js'
import { PHONE, addressFor, assertAccessible, openPage, show, textOf } from './page.js'

/** A session that has read sensitive data, was warned or blocked, and has a sub-session; it waits for a human. */
async function startWaiting(client: PlimsollClient) {
  const parent = await client.startSession({
    agent: 'scribe',
    category: 'research_comms',
    task: 'Collect the figures.',
  })
  await parent.complete(await parent.propose({ tool: 'get_customer', arguments: { id: 7 } }))
  const child = await client.startSession({ agent: 'helper', task: 'Collect one figure.', parent })
  await child.complete(await child.propose({ tool: 'read_file', arguments: { path: 'notes.md' } }))
  const asked = await parent.propose({
    tool: 'send_email',
    arguments: { to: 'desk@example.org', body: 'figures' },
  })
  assert.equal(asked.verdict, 'confirm')
  return { parent, asked }
}

/** The views for operators, on which something is set. */
async function assertViews(browser: Browser, url: string, options: BrowserContextOptions): Promise<void> {
  const { page, problems, close } = await openPage(browser, addressFor(url, 'ines'), options)
  await page.getByText('live', { exact: true }).waitFor()
  await show(page, '#/controls/acme')
  await page.locator('.scope-card button', { hasText: 'Stop' }).click()
  await page.getByText(/^Concerns/).waitFor()
  await assertAccessible(page, 'change')
  await page.getByLabel(/^Reason/).fill('a drill')
  await page.locator('dialog button[type=submit]').click()
  await page.locator('.banner.stopped').waitFor()
  await assertShown(page, 'controls')
  await show(page, '#/appeals')
  await page.locator('.appealed tbody tr').first().waitFor()
  await assertShown(page, 'appeals')
  await page.keyboard.press('p')
  await page.locator('.specs tbody a').first().click()
  await page.locator('.met').waitFor()
  await assertShown(page, 'policy')
  await show(page, '#/fleet')
  await page.locator('.session-row a.open', { hasText: 'scribe' }).click()
  await page.locator('.to-replay').click()
  await page.locator('.state-card dl').waitFor()
  await assertShown(page, 'replay')
  assert.deepEqual(problems, [])
  await close()
}

/** Nothing serious, and nothing wider than the page. */
async function assertShown(page: Page, what: string): Promise<void> {
  await assertAccessible(page, what)
  assert.equal(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), 0, what)
}

for (const colorScheme of ['light', 'dark'] as const)
  for (const [size, viewport] of [
    ['a desk', { width: 1440, height: 900 }],
    ['a phone', PHONE],
  ] as const)
    test(
      `axe finds nothing serious in any view, ${colorScheme}, on ${size}`,
      { skip: withoutBrowser },
      async () => {
        await withConsole('embedded', async ({ connect, console }) => {
          await startWaiting(await connect())
          await withBrowser(async (browser) => {
            const out = await openPage(browser, `${console.url}/`, { colorScheme, viewport })
            await out.page.getByLabel('Token').waitFor()
            await assertAccessible(out.page, 'login')
            await out.close()

            const address = addressFor(console.url, 'omar')
            const { page, problems } = await openPage(browser, address, { colorScheme, viewport })
            await page.locator('.session-row .flag.question').waitFor()
            await assertAccessible(page, 'fleet')
            await page.locator('.session-row a.open', { hasText: 'scribe' }).click()
            await page.locator('.timeline .step').first().waitFor()
            await page.locator('.step summary').first().click()
            await assertAccessible(page, 'session')
            await show(page, '#/queue')
            await page.locator('.groups .open').first().click()
            await page.locator('.asked').waitFor()
            await assertShown(page, 'queue')
            await page.keyboard.press('d')
            await page.locator('dialog').waitFor()
            await assertAccessible(page, 'dialog')
            await page.keyboard.press('Escape')
            await page.locator('dialog').waitFor({ state: 'detached' })
            await page.keyboard.press('?')
            await page.getByRole('dialog', { name: 'Keys' }).waitFor()
            await assertAccessible(page, 'keys')
            await page.keyboard.press('Escape')
            await assertViews(browser, console.url, { colorScheme, viewport })
            assert.deepEqual(problems, [])
          })
        })
      },
    )

test('a question is found and denied by keyboard alone', { skip: withoutBrowser }, async () => {
  await withConsole('embedded', async ({ connect, console }) => {
    const { parent, asked } = await startWaiting(await connect())
    const resolution = parent.resolution(asked, { timeoutMs: 60_000 })
    await withBrowser(async (browser) => {
      const { page, problems } = await openPage(browser, addressFor(console.url, 'omar'))
      await page.locator('.session-row .flag.question').waitFor()
      const focused = () => page.evaluate('document.activeElement.innerText')
      await page.keyboard.press('j')
      assert.equal(await focused(), 'scribe')
      await page.keyboard.press('j')
      assert.equal(await focused(), 'helper')
      await page.keyboard.press('k')
      await page.keyboard.press('Enter')
      await page.locator('.timeline .step').first().waitFor()

      await page.keyboard.press('q')
      await page.locator('.groups .open').waitFor()
      await page.keyboard.press('j')
      await page.keyboard.press('Enter')
      await page.locator('.columns.named .asked').waitFor()
      await page.keyboard.press('d')
      await page.locator('dialog').waitFor()
      // No answer without a reason.
      assert.equal(await page.locator('dialog button[type=submit]').isDisabled(), true)
      await page.keyboard.type('figures are not public')
      await page.keyboard.press('Tab')
      assert.equal(await focused(), 'Deny')
      await page.keyboard.press('Enter')
      await page.getByText('Denied. The agent gets your reason.').waitFor()
      await page.getByText('This question is open no more').waitFor()
      assert.match(await textOf(page, '.gone'), /denied by omar .*figures are not public/)
      assert.deepEqual(problems, [])
    })
    const answer = await resolution
    assert.equal(answer.verdict, 'block')
    assert.match(explain(answer), /figures are not public/)
  })
})
