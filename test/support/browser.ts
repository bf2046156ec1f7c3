/**
 * A real browser: Debian's Chromium, or another one on the path.
 *
 * @example
 * import { withBrowser, withoutBrowser } from '../support/browser.js'
 *
 * test('shows the page', { skip: withoutBrowser }, async () => {
 *   await withBrowser(async (browser) => { … })
 * })
 */
import { type Browser, chromium } from 'playwright-core'
import { outputOf } from './commands.js'

const PROGRAMS = ['chromium', 'chromium-browser', 'google-chrome']

/** No sandbox, as CI runs as root; nothing that asks the network by itself. */
const ARGUMENTS = ['--no-sandbox', '--disable-gpu', '--disable-background-networking']

const program = await findProgram()

export const withoutBrowser: string | false = skipIf(
  program === undefined ? `no ${PROGRAMS.join(', ')} on the path` : undefined,
)

async function findProgram(): Promise<string | undefined> {
  for (const name of PROGRAMS) {
    const place = await outputOf('which', [name])
    if (place !== undefined) return place.trim()
  }
  return undefined
}

function skipIf(missing: string | undefined): string | false {
  if (missing !== undefined && process.env.PLIMSOLL_REQUIRE_BROKERS === '1') throw new Error(missing)
  return missing ?? false
}

/** Runs `play` with a browser of its own, and ends it. */
export async function withBrowser(play: (browser: Browser) => Promise<void>): Promise<void> {
  if (program === undefined) throw new Error('there is no browser: skip the test by `withoutBrowser`')
  const browser = await chromium.launch({ executablePath: program, args: ARGUMENTS })
  try {
    await play(browser)
  } finally {
    await browser.close()
  }
}
