import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withBrowser, withoutBrowser } from '../../support/browser.js'
import { withConsole } from '../../support/console-world.js'
import { addressFor, assertAccessible, openPage, show, textOf } from './page.js'

test(
  'an approver says that a decision was wrong, and finds it among the appeals',
  { skip: withoutBrowser },
  async () => {
    await withConsole('embedded', async ({ connect, console }) => {
      const client = await connect()
      const session = await client.startSession({ id: 'acme~one', agent: 'scribe' })
      const asked = await session.propose({ tool: 'send_email', arguments: { to: 'a@example.org' } })
      assert.equal(asked.verdict, 'confirm')
      await withBrowser(async (browser) => {
        const { page, problems, close } = await openPage(browser, addressFor(console.url, 'omar'))
        await page.locator('.session-row').waitFor()
        await page.keyboard.press('w')
        await page.getByText('Nobody has appealed a decision yet.').waitFor()
        // It asked once, and nobody said that it was wrong.
        assert.match(await textOf(page, '.appealed tbody tr'), / 1 0 0 0$/)

        await show(page, `#/session/acme~one/${encodeURIComponent(asked.decision?.id ?? '')}`)
        await page.locator('.step.current summary').click()
        await page.locator('.appeal-button').click()
        await page.getByRole('dialog', { name: 'Was this decision wrong?' }).waitFor()
        assert.equal(await page.getByLabel(/^It should have run/).isChecked(), true)
        await assertAccessible(page, 'appeal')
        await page.getByLabel('Reason (optional)').fill('<img src=x onerror=alert(1)> desk is ours')
        await page.locator('dialog button[type=submit]').click()
        await page.getByText('Recorded. No verdict changes').waitFor()
        await page.locator('.step .appeal').waitFor()
        assert.match(
          await textOf(page, '.step .appeal'),
          /appealed by omar at .*: it should have run: .*<img src=x/,
        )

        await page.keyboard.press('w')
        await page.locator('.appeals-list li').waitFor()
        assert.match(
          await textOf(page, '.appeals-list li'),
          /confirm send_email of scribe asked for nothing “<img src=x .*> desk is ours” omar at/,
        )
        await page.locator('.appealed .some').first().waitFor()
        await assertAccessible(page, 'appeals')
        await page.keyboard.press('j')
        await page.keyboard.press('Enter')
        await page.locator('.step.current .appeal').waitFor()
        assert.deepEqual(problems, [])
        await close()

        const other = await openPage(browser, addressFor(console.url, 'vera'))
        await other.page.getByText('live', { exact: true }).waitFor()
        await show(other.page, '#/session/acme~one/1')
        await other.page.locator('.step summary').click()
        await other.page.locator('.step .details').waitFor()
        assert.equal(await other.page.locator('.appeal-button').count(), 0)
      })
    })
  },
)
