import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, type Socket, connect as connectTo, createServer } from 'node:net'
import { type TestContext, test } from 'node:test'
import { withBrowser, withoutBrowser } from '../../support/browser.js'
import { withConsole } from '../../support/console-world.js'
import { waitUntil } from '../../support/wait-until.js'
import { addressFor, openPage, show, textOf } from './page.js'

/** A network between the browser and the console that can break. */
async function startNetwork(t: TestContext, target: string) {
  const { port } = new URL(target)
  const open = new Set<Socket>()
  let isUp = true
  const server = createServer((near) => {
    if (!isUp) {
      near.destroy()
      return
    }
    const far = connectTo(Number(port), '127.0.0.1')
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(from)
      from.on('error', () => undefined)
      from.on('close', () => {
        open.delete(from)
        to.destroy()
      })
      from.pipe(to)
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const bring = (up: boolean) => {
    isUp = up
    if (!up) for (const socket of open) socket.destroy()
  }
  t.after(() => {
    bring(false)
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, bring }
}

test(
  'a lost connection is reported; once it is back, no step is missing',
  { skip: withoutBrowser },
  async (t) => {
    await withConsole('embedded', async ({ connect, console }) => {
      const network = await startNetwork(t, console.url)
      const session = await (await connect()).startSession({ agent: 'reader' })
      const run = async (path: string) =>
        session.complete(await session.propose({ tool: 'read_file', arguments: { path } }))
      await run('0.md')
      await withBrowser(async (browser) => {
        const { page } = await openPage(browser, addressFor(network.url, 'vera'))
        await page.locator('.session-row a.open').click()
        await page.locator('.step').first().waitFor()
        await page.locator('.connection.live').waitFor()
        await run('1.md')
        await page.locator('.step').nth(1).waitFor()

        let fetched = 0
        page.on('request', (request) => (fetched += Number(request.url().includes('/api/sessions/'))))
        network.bring(false)
        await page.locator('.banner.lost').waitFor()
        assert.match(await textOf(page, '.banner'), /^Connection lost at .*may be out of date/)
        assert.equal(await textOf(page, '.connection'), 'not connected')
        for (let at = 2; at < 8; at++) await run(`${at}.md`)
        assert.equal(await page.locator('.step').count(), 2)

        network.bring(true)
        await page.locator('.banner.back').waitFor()
        assert.equal(await textOf(page, '.banner'), 'Connected again. No event was missed.')
        await page.locator('.step').nth(7).waitFor()
        assert.deepEqual(await page.locator('.step > .number').allInnerTexts(), [
          '1',
          '2',
          '3',
          '4',
          '5',
          '6',
          '7',
          '8',
        ])
        // By the events alone.
        assert.equal(fetched, 0)
      })
    })
  },
)

test(
  'what is opened while the connection is lost is shown once it is back',
  { skip: withoutBrowser },
  async (t) => {
    await withConsole('embedded', async ({ connect, console }) => {
      const network = await startNetwork(t, console.url)
      const session = await (await connect()).startSession({ agent: 'reader' })
      await session.complete(await session.propose({ tool: 'read_file', arguments: { path: 'notes.md' } }))
      await withBrowser(async (browser) => {
        const { page } = await openPage(browser, addressFor(network.url, 'vera'))
        await page.locator('.connection.live').waitFor()
        await page.locator('.session-row').waitFor()
        network.bring(false)
        await page.locator('.session-row a.open').click()
        await page.locator('.banner.lost').waitFor()
        assert.equal(await page.locator('.step').count(), 0)
        network.bring(true)
        await page.locator('.step').waitFor()
      })
    })
  },
)

test('what happens before the page follows live is not missed', { skip: withoutBrowser }, async () => {
  await withConsole('embedded', async ({ connect, console }) => {
    const session = await (await connect()).startSession({ agent: 'scribe' })
    await withBrowser(async (browser) => {
      const { page } = await openPage(browser, addressFor(console.url, 'omar'))
      await page.locator('.connection.live').waitFor()
      let follow = (): void => undefined
      const mayFollow = new Promise<void>((resolve) => (follow = resolve))
      await page.route('**/api/live', async (route) => {
        await mayFollow
        await route.continue()
      })
      await show(page, '#/queue')
      await page.reload()
      await page.getByText('Nobody waits for an answer.').waitFor()
      await session.propose({ tool: 'frobnicate', arguments: { level: 11 } })
      // By another reader: the console has it now.
      const other = await openPage(browser, addressFor(console.url, 'ines'))
      await show(other.page, '#/queue')
      await other.page.locator('.asked').waitFor()
      assert.equal(await page.locator('.asked').count(), 0)
      follow()
      await page.locator('.asked').waitFor()
    })
  })
})

test(
  'two people answer at once: one wins, and the other is shown who',
  { skip: withoutBrowser },
  async () => {
    await withConsole('embedded', async ({ connect, console }) => {
      const session = await (await connect()).startSession({ agent: 'scribe' })
      const asked = await session.propose({ tool: 'frobnicate', arguments: { level: 11 } })
      assert.equal(asked.verdict, 'confirm')
      await withBrowser(async (browser) => {
        const people = await Promise.all(
          (['ines', 'omar'] as const).map(async (name) => {
            const { page } = await openPage(browser, addressFor(console.url, name))
            await show(page, '#/queue')
            await page.locator('.asked').waitFor()
            await page.keyboard.press('d')
            await page.locator('dialog textarea').fill(`not so loud, says ${name}`)
            return page
          }),
        )
        await Promise.all(people.map((page) => page.locator('dialog button[type=submit]').click()))
        const noticed = async (page: (typeof people)[number]) => {
          await page.locator('.notice').waitFor()
          return textOf(page, '.notice span')
        }
        const [first, second] = (await Promise.all(people.map(noticed))).sort()
        assert.equal(first, 'Denied. The agent gets your reason.')
        assert.match(
          second ?? '',
          /^(ines|omar) answered first \(denied at [\d:]+, “not so loud, says \1”\): your answer does not count\.$/,
        )
      })
    })
  },
)

test('who may only look sees the question and no way to answer it', { skip: withoutBrowser }, async () => {
  await withConsole('embedded', async ({ connect, console }) => {
    const session = await (await connect()).startSession({ agent: 'scribe' })
    await session.propose({ tool: 'frobnicate', arguments: { level: 11 } })
    await withBrowser(async (browser) => {
      const { page, problems } = await openPage(browser, addressFor(console.url, 'vera'))
      await show(page, '#/queue')
      await page.locator('.asked').waitFor()
      assert.match(await textOf(page, '.asked'), /You may look, but not answer/)
      assert.equal(await page.locator('.answers').count(), 0)
      await page.keyboard.press('a')
      await page.keyboard.press('?')
      await page.getByRole('dialog', { name: 'Keys' }).waitFor()
      assert.equal(await page.locator('dialog').count(), 1)
      assert.deepEqual(problems, [])
    })
  })
})

test(
  'a wrong token is refused with the reason, and logging out ends the page',
  { skip: withoutBrowser },
  async () => {
    await withConsole('embedded', async ({ console }) => {
      await withBrowser(async (browser) => {
        const { page } = await openPage(browser, `${console.url}/#code=wrong`)
        await waitUntil('the reason', async () => (await textOf(page, '#login-problem')).length > 10)
        assert.ok(!page.url().includes('wrong'), page.url())
        await page.getByLabel('Token').fill('token-of-omar')
        await page.keyboard.press('Enter')
        await page.locator('.connection.live').waitFor()
        await page.reload()
        await page.locator('.connection.live').waitFor()
        await page.getByRole('button', { name: 'Log out' }).click()
        await page.getByLabel('Token').waitFor()
        await page.reload()
        await page.getByLabel('Token').waitFor()
      })
    })
  },
)

test('an address works once, and a token in an address does not', { skip: withoutBrowser }, async () => {
  await withConsole('embedded', async ({ console }) => {
    await withBrowser(async (browser) => {
      const address = addressFor(console.url, 'omar')
      const { page } = await openPage(browser, address)
      await page.locator('.connection.live').waitFor()
      const other = await openPage(browser, address)
      await other.page.getByText('the address works once').waitFor()
      const byToken = await openPage(browser, `${console.url}/#token=token-of-omar`)
      await byToken.page.getByLabel('Token').waitFor()
      // Looked at again where somebody is logged in.
      await page.goto('about:blank')
      await page.goto(address)
      await page.locator('.connection.live').waitFor()
      assert.equal(await page.getByText('You logged in in another tab.').count(), 0)
    })
  })
})

test('another tab reads, and answers once somebody logs in there', { skip: withoutBrowser }, async () => {
  await withConsole('embedded', async ({ connect, console }) => {
    const session = await (await connect()).startSession({ agent: 'scribe' })
    await session.propose({ tool: 'frobnicate', arguments: { level: 11 } })
    await withBrowser(async (browser) => {
      const { page } = await openPage(browser, addressFor(console.url, 'omar'))
      await page.locator('.connection.live').waitFor()
      assert.equal(await page.getByText('You logged in in another tab.').count(), 0)
      const tab = await page.context().newPage()
      await tab.goto(`${console.url}/#/queue`)
      await tab.locator('.asked').waitFor()
      await tab.getByText('You logged in in another tab.').waitFor()
      await tab.getByRole('button', { name: 'Log in' }).click()
      await tab.getByLabel('Token').fill('token-of-omar')
      await tab.keyboard.press('Enter')
      for (const each of [tab, page]) {
        await show(each, '#/queue')
        await each.locator('.asked').waitFor()
        assert.equal(await each.getByText('You logged in in another tab.').count(), 0)
      }
      // The first tab may still answer, with the cookie of the later login.
      await page.keyboard.press('a')
      await page.locator('dialog button[type=submit]').click()
      await page.getByText('Approved. The step may run.').waitFor()
    })
  })
})
