import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withBrowser, withoutBrowser } from '../../support/browser.js'
import { withConsole } from '../../support/console-world.js'
import { waitUntil } from '../../support/wait-until.js'
import { addressFor, openPage, show, textOf } from './page.js'

test(
  'a past session is played step by step, each as it was known then',
  { skip: withoutBrowser },
  async () => {
    await withConsole('embedded', async ({ connect, console, logIn }) => {
      const omar = await logIn('omar')
      const session = await (
        await connect()
      ).startSession({ id: 'acme~one', agent: 'scribe', task: 'Collect.' })
      await session.complete(await session.propose({ tool: 'read_file', arguments: { path: 'notes.md' } }))
      await session.complete(await session.propose({ tool: 'get_customer', arguments: { id: 7 } }))
      const asked = await session.propose({ tool: 'send_email', arguments: { to: 'a@example.org' } })
      assert.equal(asked.verdict, 'confirm')
      const resolution = session.resolution(asked, { timeoutMs: 60_000 })
      await waitUntil('the answer', async () => {
        const address = `/api/approvals/${encodeURIComponent(asked.decision?.id ?? '')}`
        return (await omar.post(address, { resolution: 'approved', reason: 'seen' })).status === 200
      })
      await session.complete(await resolution)
      await session.complete(await session.propose({ tool: 'read_file', arguments: { path: 'more.md' } }))
      await session.end('completed')

      await withBrowser(async (browser) => {
        const { page, problems } = await openPage(browser, addressFor(console.url, 'vera'))
        await page.getByText('live', { exact: true }).waitFor()
        await show(page, '#/session/acme~one')
        await page.locator('.timeline .step').nth(3).waitFor()
        await page.keyboard.press('v')
        await page.locator('.cursor-bar').waitFor()
        const words = () => textOf(page, '.cursor-bar output')
        const shown = () => page.locator('.timeline .step').count()
        assert.deepEqual([await words(), await shown()], ['step 1 of 4', 1])
        assert.doesNotMatch(await textOf(page, '.state-card'), /sensitive data/)

        await page.keyboard.press('ArrowRight')
        await page.getByText('step 2 of 4').waitFor()
        await page.keyboard.press('ArrowRight')
        await page.getByText('step 3 of 4').waitFor()
        assert.match(page.url(), /#\/replay\/acme~one\?step=3$/)
        assert.match(await textOf(page, '.state-card'), /Has read sensitive data/)
        // Nobody had answered yet, though the session is over.
        const current = page.locator('.step.current')
        assert.match((await current.innerText()).replaceAll(/\s+/g, ' '), /^3 send_email .*confirm/)
        assert.doesNotMatch(await current.innerText(), /approved|ran$/m)

        await page.keyboard.press('ArrowRight')
        await page.getByText('step 4 of 4').waitFor()
        const before = page.locator('.step', { hasText: 'send_email' })
        assert.match(
          (await before.innerText()).replaceAll(/\s+/g, ' '),
          /confirm → .*allow.*ran.*approved by omar/,
        )
        await page.keyboard.press('End')
        await page.getByText('the end', { exact: true }).waitFor()
        assert.equal(await shown(), 4)
        await page.keyboard.press('Home')
        await page.getByText('step 1 of 4').waitFor()

        // A link leads to a step; going back leaves the replay.
        await page.getByLabel('Step', { exact: true }).focus()
        await page.keyboard.press('ArrowRight')
        await page.getByText('step 2 of 4').waitFor()
        await page.goBack()
        await page.locator('.to-replay').waitFor()
        await show(page, '#/replay/acme~one?step=3')
        await page.getByText('step 3 of 4').waitFor()
        await show(page, '#/replay/acme~one?step=99')
        await page.getByText('There is no step 99 here: the first is shown.').waitFor()
        await page.keyboard.press('v')
        await page.locator('.to-replay').waitFor()
        assert.deepEqual(problems, [])
      })
    })
  },
)
