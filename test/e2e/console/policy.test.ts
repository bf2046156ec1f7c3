import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withBrowser, withoutBrowser } from '../../support/browser.js'
import { withConsole } from '../../support/console-world.js'
import { addressFor, assertAccessible, openPage, textOf } from './page.js'

test(
  'from a check of the policy to the steps that met it, by keyboard',
  { skip: withoutBrowser },
  async () => {
    await withConsole('embedded', async ({ connect, console, documents, logIn }) => {
      const session = await (await connect()).startSession({ id: 'acme~one', agent: 'mailer' })
      const asked = await session.propose({ tool: 'send_email', arguments: { to: 'a@example.org' } })
      assert.equal(asked.verdict, 'confirm')
      await withBrowser(async (browser) => {
        const { page, problems } = await openPage(browser, addressFor(console.url, 'vera'))
        await page.locator('.session-row').waitFor()
        await page.keyboard.press('p')
        await page.getByRole('heading', { name: `Specs of ${documents[0].policy.name}` }).waitFor()
        assert.match(await textOf(page, '.policies li'), /not registered .* tenant acme: 1 live session of 1/)
        const ines = await logIn('ines')
        const observe = { action: 'observe', tenant: 'acme', reason: 'a trial' }
        assert.equal((await ines.post('/api/controls', observe)).status, 200)
        await page.locator('.policies').getByText('observed only').waitFor()
        const check = page.locator('.specs tr', { hasText: 'irreversible_not_asked' })
        assert.match((await check.innerText()).replaceAll(/\s+/g, ' '), /cannot be undone 1 0 0 1$/)
        await assertAccessible(page, 'policy')

        await check.locator('a').focus()
        await page.keyboard.press('Enter')
        await page.locator('.met li').waitFor()
        assert.match(page.url(), /#\/policy\/[0-9a-f]{32}\/irreversible_not_asked$/)
        assert.match(await textOf(page, '.met li'), /confirm send_email of mailer, step 1/)
        await assertAccessible(page, 'met')
        await page.locator('.met li a').click()
        await page.locator('.step.current').waitFor()
        await page.getByText('Its policy').click()
        await page.locator('.policies a[aria-current]').waitFor()
        assert.deepEqual(problems, [])
      })
    })
  },
)
