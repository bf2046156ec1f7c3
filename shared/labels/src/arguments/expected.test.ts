import { test } from 'node:test'
import { labelStep } from './label-step.js'
import { assertReadsAsExpected } from './python-tokens.js'
import { CODE, MAIL, REQUEST, SHELL, SQL, formatLabels } from './samples.js'

/**
 * What is read from hundreds of arguments, kept in a file: a change of the reading shows in it line by line. Written again by running this
 * test with PLIMSOLL_WRITE_EXPECTED=1; anyone who does so looks at each line that changed.
 */
const EXPECTED = new URL('../../expected/readings.txt', import.meta.url)
const ENTRIES = {
  bash: SHELL,
  sql_query: SQL,
  python: CODE,
  http_request: REQUEST,
  send_email: MAIL,
} as const
const ORGANISATION = { domains: ['ours.example'] }

/** A line is a tool's name, its arguments as JSON, and what was read from them, with tabs between. */
function readLine(line: string): string {
  const [tool = '', written = ''] = line.split('\t')
  const entry = ENTRIES[tool as keyof typeof ENTRIES]
  const { labels, signals } = labelStep(tool, JSON.parse(written), entry, ORGANISATION)
  const noted = Object.keys(signals)
    .toSorted()
    .map((name) => `${name}=${Math.round((signals[name] ?? 0) * 100) / 100}`)
  return [tool, written, formatLabels(labels), noted.join(' ')].join('\t')
}

test('hundreds of arguments are read as they were', () =>
  assertReadsAsExpected(EXPECTED, readLine, process.env))
