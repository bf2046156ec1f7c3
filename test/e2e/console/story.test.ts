import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withBrowser, withoutBrowser } from '../../support/browser.js'
import { startCli } from '../cli-process.js'
import { openPage, textOf } from './page.js'

test(
  'from a cold page: find the riskiest session, see why, answer a question, see the agent go on',
  { skip: withoutBrowser },
  async () => {
    const up = startCli(['up', '--seed', '1', '--port', '0', '--gateway', '0', '--console', '0'])
    try {
      const [, address = ''] = /^page at (\S+)/.exec(await up.printed(/^page at /)) ?? []
      await withBrowser(async (browser) => {
        const { page, problems } = await openPage(browser, address)

        // The riskiest session is first: those that wait for a human come before the others.
        await page.locator('.session-row .flag.question').first().waitFor()
        assert.ok(!page.url().includes('code'), page.url())
        await page.keyboard.press('r')
        const [id] = (await page.locator('.session-row').first().locator('code').allInnerTexts()) as [string]
        await page.locator('.session-row a.open').first().click()

        // Why: the reasons in words, the curve, and what would run.
        await page.locator('.asked').waitFor()
        assert.match(await textOf(page, '.session-head'), new RegExp(id))
        assert.match(await textOf(page, '.asked .reasons'), /confirm \w+/)
        assert.match(await textOf(page, '.asked .arguments'), /: "/)
        assert.match(
          (await page.locator('.plot').getAttribute('aria-label')) ?? '',
          /^Risk curve over \d+ step/,
        )
        const tool = await textOf(page, '.asked h2 code')

        await page.keyboard.press('a')
        assert.match(await textOf(page, 'dialog'), /Approve this step\?/)
        assert.match(await textOf(page, 'dialog'), new RegExp(tool))
        await page.getByLabel('Reason (optional)').fill('read in the story')
        await page.locator('dialog button[type=submit]').click()

        // The agent goes on: the step runs, and its answer stands in the timeline.
        await page.getByText('Approved. The step may run.').waitFor()
        const answered = page.locator('.step', { has: page.getByText('read in the story') })
        await answered.getByText('ran', { exact: true }).waitFor()
        assert.match((await answered.innerText()).replaceAll(/\s+/g, ' '), /confirm → .*allow/)
        assert.deepEqual(problems, [])
      })
    } finally {
      up.signal('SIGINT')
      await up.ended
    }
  },
)
