import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { CODES_MAX, type UserName } from '../../support/console-world.js'

/** The page of the console, in a browser profile of its own. */
export interface OpenPage {
  readonly page: Page
  /** What went wrong in the page so far: errors, refused scripts and styles, windows that opened. */
  readonly problems: readonly string[]
  close(): Promise<void>
}

/** Long, since it only bounds a failure. */
const TIMEOUT_MS = 60_000

const DESK = { width: 1440, height: 900 }
export const PHONE = { width: 390, height: 844 }

/** @param address with a code in its fragment; see `addressFor` */
export async function openPage(
  browser: Browser,
  address: string,
  options: BrowserContextOptions = {},
): Promise<OpenPage> {
  const context = await browser.newContext({ viewport: DESK, ...options })
  const page = await context.newPage()
  page.setDefaultTimeout(TIMEOUT_MS)
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('dialog', (dialog) => {
    problems.push(`a window: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('popup', (popup) => problems.push(`a page: ${popup.url()}`))
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text())
  })
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(new URL(address).origin)) problems.push(`a request to ${url}`)
  })
  await page.goto(address)
  return { page, problems, close: () => context.close() }
}

let addresses = 0

/** Logs the user of `withConsole` in, once. */
export function addressFor(url: string, name: UserName): string {
  assert.ok(addresses < CODES_MAX, 'a file opens no more pages')
  return `${url}/#code=code-of-${name}-${addresses++}`
}

/** Shows another view, as a link does. */
export const show = (page: Page, view: string): Promise<unknown> =>
  page.evaluate(`location.hash = ${JSON.stringify(view)}`)

/** The text of an element, each run of blank space as one blank. */
export const textOf = async (page: Page, selector: string): Promise<string> =>
  (await page.locator(selector).first().innerText()).replaceAll(/\s+/g, ' ')

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Finding {
  readonly id: string
  readonly impact: string
  readonly nodes: readonly { readonly html: string }[]
}

/** Fails with what axe finds serious or critical in what is shown. */
export async function assertAccessible(page: Page, what: string): Promise<void> {
  const found = await page.evaluate(
    `${axe}\n;axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations)`,
  )
  const bad = (found as readonly Finding[]).filter(({ impact }) => /serious|critical/.test(impact))
  assert.deepEqual(
    bad.map(({ id, nodes }) => `${what}: ${id}: ${nodes.map(({ html }) => html).join('\n')}`),
    [],
  )
}
