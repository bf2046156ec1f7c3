import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withBrowser, withoutBrowser } from '../../support/browser.js'
import { withConsole } from '../../support/console-world.js'
import { addressFor, openPage, show, textOf } from './page.js'

const read = { tool: 'read_file', arguments: { path: 'notes.md' } }

test('an operator stops a tenant and resumes it, by keyboard alone', { skip: withoutBrowser }, async () => {
  await withConsole('embedded', async ({ connect, console }) => {
    const session = await (await connect()).startSession({ id: 'acme~one', agent: 'mailer' })
    assert.equal((await session.propose(read)).verdict, 'allow')
    await withBrowser(async (browser) => {
      const { page, problems } = await openPage(browser, addressFor(console.url, 'opal'))
      await page.locator('.session-row').waitFor()
      await page.keyboard.press('c')
      // Not in every tenant an operator: the fleet is shown, and not offered.
      await page.getByText('Choose a tenant of yours.').waitFor()
      assert.equal(await page.locator('.scope-card .answers button').count(), 0)
      await page.keyboard.press('s')
      assert.equal(await page.locator('dialog').count(), 0)

      await page.getByLabel('Tenant').selectOption('acme')
      await page.getByText('Enforced: agents wait for verdicts').waitFor()
      assert.match(page.url(), /#\/controls\/acme$/)
      await page.locator('.scope-card button', { hasText: 'Stop' }).waitFor()
      await page.locator('main').focus()
      await page.keyboard.press('s')
      await page.getByText('Concerns 1 live session now.').waitFor()
      assert.match(await textOf(page, 'dialog'), /Every step that tenant acme proposes .* is blocked/)
      const confirm = page.locator('dialog button[type=submit]')
      assert.equal(await confirm.isDisabled(), true)
      await page.keyboard.type('<img src=x onerror=alert(1)> a drill')
      await page.keyboard.press('Tab')
      assert.equal(await page.evaluate('document.activeElement.innerText'), 'Stop as opal')
      await page.keyboard.press('Enter')
      await page.getByText('Done: opal stops tenant acme.').waitFor()
      await page.getByText('Stopped: every step is blocked').waitFor()
      assert.match(
        await textOf(page, '.settings tbody tr'),
        /tenant acme stopped opal at .*<img src=x .*a drill/,
      )
      assert.equal((await session.propose(read)).verdict, 'block')

      // On every view, and a link leads back.
      await page.keyboard.press('f')
      await page.locator('.banner.stopped a').click()
      await page.locator('.scope-card button', { hasText: 'Resume' }).waitFor()
      await page.locator('main').focus()
      await page.keyboard.press('s')
      await page.getByLabel(/^Reason/).fill('over')
      await page.locator('dialog button[type=submit]').click()
      await page.getByText('Done: opal resumes tenant acme.').waitFor()
      await page.locator('.banner.stopped').waitFor({ state: 'detached' })
      assert.equal((await session.propose(read)).verdict, 'allow')
      assert.match(
        await textOf(page, '.history ol'),
        /^resumes tenant acme by opal .*stops tenant acme by opal/,
      )
      assert.deepEqual(problems, [])
    })
  })
})

test(
  'another page sees a change at once, and who may only look is offered none',
  { skip: withoutBrowser },
  async () => {
    await withConsole('embedded', async ({ console, logIn }) => {
      const ines = await logIn('ines')
      await withBrowser(async (browser) => {
        const { page, problems } = await openPage(browser, addressFor(console.url, 'vera'))
        await page.getByText('live', { exact: true }).waitFor()
        await show(page, '#/controls/*/mailer')
        await page.getByRole('heading', { name: 'agent mailer' }).waitFor()
        await page.getByText('Nothing is set: this is the default.').waitFor()
        const sent = await ines.post('/api/controls', {
          action: 'observe',
          agent: 'mailer',
          reason: 'a trial',
        })
        assert.equal(sent.status, 200)
        await page.getByText('Observed: every step runs').waitFor()
        assert.match(await textOf(page, '.in-force'), /Set by ines at .*a trial/)
        assert.equal(await page.locator('.scope-card .answers button').count(), 0)
        assert.deepEqual(problems, [])
      })
    })
  },
)
