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

test(
  'an operator stops the fleet, sees which steps that blocked, replays one, and resumes it',
  { skip: withoutBrowser },
  async () => {
    const up = startCli(['up', '--seed', '2', '--port', '0', '--gateway', '0', '--console', '0'])
    try {
      const [, address = ''] = /^page at (\S+)/.exec(await up.printed(/^page at /)) ?? []
      await withBrowser(async (browser) => {
        const { page, problems } = await openPage(browser, address)
        await page.locator('.session-row').first().waitFor()
        const change = async (action: string, reason: string) => {
          await page.keyboard.press('c')
          await page.locator('.scope-card button', { hasText: action }).click()
          await page.getByText(/^Concerns \d+ live session/).waitFor()
          await page.getByLabel(/^Reason/).fill(reason)
          await page.locator('dialog button[type=submit]').click()
          await page.locator('.notice.done', { hasText: 'the fleet' }).waitFor()
        }
        await change('Stop', 'the mail tool leaks')
        await page.locator('.banner.stopped').waitFor()

        // Simulated agents go on proposing, and each step is blocked.
        await page.keyboard.press('p')
        await page.locator('.specs tr', { hasText: 'stopped by an operator' }).locator('a').click()
        await page.locator('.met li a').first().click()
        await page.locator('.step.current .reasons', { hasText: 'the mail tool leaks' }).waitFor()
        await page.keyboard.press('v')
        await page.locator('.state-card').waitFor()
        assert.match(await textOf(page, '.step.current'), /block .*the mail tool leaks/)

        await change('Resume', 'it is mended')
        await page.locator('.banner.stopped').waitFor({ state: 'detached' })
        assert.deepEqual(problems, [])
      })
    } finally {
      up.signal('SIGINT')
      await up.ended
    }
  },
)
