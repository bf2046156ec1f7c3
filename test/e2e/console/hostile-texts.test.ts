import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withBrowser, withoutBrowser } from '../../support/browser.js'
import { withConsole } from '../../support/console-world.js'
import { addressFor, openPage, show, textOf } from './page.js'

const IMAGE = '<img src=x onerror=alert(1)>'
const SCRIPT = '</code><script>alert(2)</script>'
const LINK = '[click](javascript:alert(3)) https://evil.example/?q=1 **bold** <b>b</b>'
/** Shows `gnp.exe` as `exe.png`, and a blank that is none. */
const DECEIVING = 'report\u202Egnp.exe a\u200Bb'

test('names, tasks and arguments of agents are shown as text alone', { skip: withoutBrowser }, async () => {
  await withConsole('embedded', async ({ connect, console, logIn }) => {
    const omar = await logIn('omar')
    const client = await connect()
    const session = await client.startSession({
      agent: 'scribe',
      task: `${SCRIPT} ${LINK} ${DECEIVING}`,
      sendTask: true,
    })
    const step = {
      tool: IMAGE.replaceAll(' ', '/'),
      arguments: { [IMAGE]: `${SCRIPT}${DECEIVING}`, link: LINK },
    }
    const asked = await session.propose(step)
    assert.equal(asked.verdict, 'confirm')

    await withBrowser(async (browser) => {
      const { page, problems } = await openPage(browser, addressFor(console.url, 'omar'))
      const assertText = async (view: string) => {
        // Elements of agents' texts would be there; so would links that lead out.
        const found = await page.evaluate(`[
          ...document.querySelectorAll('#app img, #app script, #app iframe, #app [onerror], #app bdi a, #app bdi b'),
          ...[...document.querySelectorAll('a')].filter((a) => a.origin !== location.origin || !a.hash),
        ].map((element) => element.outerHTML)`)
        assert.deepEqual(found, [], view)
        const text = await textOf(page, 'body')
        assert.ok(text.includes('<img/src=x'), view)
        assert.ok(!/[\u202E\u200B]/.test(text), view)
      }
      await page.locator('.session-row .flag.question').waitFor()
      await assertText('fleet')

      await page.locator('.session-row a.open').click()
      await page.locator('.asked').waitFor()
      assert.match(await textOf(page, '.task'), /report ?U\+202E ?gnp\.exe a ?U\+200B ?b/)
      assert.match(await textOf(page, '.task'), /<\/code><script>alert\(2\)<\/script> \[click\]\(javascript:/)
      await page.locator('.step summary').click()
      await assertText('session')

      await show(page, '#/queue')
      await page.locator('.asked .arguments').waitFor()
      await assertText('queue')
      await page.keyboard.press('a')
      await page.locator('dialog').waitFor()
      await assertText('dialog')
      await page.keyboard.press('Escape')

      const appealed = await omar.post(`/api/appeals/${encodeURIComponent(asked.decision?.id ?? '')}`, {
        reason: `${IMAGE} ${LINK}`,
      })
      assert.equal(appealed.status, 200)
      await show(page, '#/appeals')
      await page.locator('.appeals-list li').waitFor()
      await assertText('appeals')

      await page.keyboard.press('p')
      await page
        .locator('.specs tr', { has: page.locator('.some') })
        .locator('a')
        .first()
        .click()
      await page.locator('.met li').waitFor()
      await assertText('policy')

      await page.locator('.met li a').first().click()
      await page.locator('.to-replay').click()
      await page.locator('.state-card').waitFor()
      await assertText('replay')
      assert.deepEqual(problems, [])
    })
  })
})
