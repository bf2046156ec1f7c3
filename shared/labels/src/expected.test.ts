import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { labelStep } from './arguments/label-step.js'
import { CODE, MAIL, REQUEST, SHELL, SQL, formatLabels } from './arguments/samples.js'
import { instructedOf, proposalOf, resultOf, sampleFingerprinter } from './provenance/sample-fingerprints.js'

/**
 * Holds a reader against a file of expected lines, so that a change of the reading shows in it line by line. In a run
 * whose environment has PLIMSOLL_WRITE_EXPECTED=1 the file is written again instead: look at each line that changed.
 *
 * @param readLine gives the line as it reads today, from a line as it stands in the file.
 * @param env the environment of the run.
 */
function assertReadsAsExpected(file: URL, readLine: (line: string) => string, env: Environment): void {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  const found = lines.map(readLine)
  if (env['PLIMSOLL_WRITE_EXPECTED'] === '1') {
    writeFileSync(file, `${found.join('\n')}\n`)
    return
  }
  assert.deepEqual(
    found.filter((line, i) => line !== lines[i]),
    lines.filter((line, i) => line !== found[i]),
  )
}

type Environment = Readonly<Record<string, string | undefined>>

/**
 * What is read from hundreds of arguments, kept in a file: a change of the reading shows in it line by line. Written again by running this
 * test with PLIMSOLL_WRITE_EXPECTED=1; anyone who does so looks at each line that changed.
 */
const READINGS = new URL('../expected/readings.txt', import.meta.url)
const ENTRIES = {
  bash: SHELL,
  sql_query: SQL,
  python: CODE,
  http_request: REQUEST,
  send_email: MAIL,
} as const
const ORGANISATION = { domains: ['ours.example'] }

/** A line is a tool's name, its arguments as JSON, and what was read from them, with tabs between. */
function lineOfReading(line: string): string {
  const [tool = '', written = ''] = line.split('\t')
  const entry = ENTRIES[tool as keyof typeof ENTRIES]
  const { labels, signals } = labelStep(tool, JSON.parse(written), entry, ORGANISATION)
  const noted = Object.keys(signals)
    .toSorted()
    .map((name) => `${name}=${Math.round((signals[name] ?? 0) * 100) / 100}`)
  return [tool, written, formatLabels(labels), noted.join(' ')].join('\t')
}

test('hundreds of arguments are read as they were', () =>
  assertReadsAsExpected(READINGS, lineOfReading, process.env))

/**
 * The fingerprints of many kinds of text under one key, kept in a file: what one version of a client read, another must find again, and
 * sessions outlive both. Each line is a text as JSON, and for a result, a proposal, its arguments apart and instructions how many
 * fingerprints there are, whether the list is partial (`+`) and a digest of the list. Written again with PLIMSOLL_WRITE_EXPECTED=1.
 */
const FINGERPRINTS = new URL('../expected/fingerprints.txt', import.meta.url)

const reported = (list: readonly string[]): string =>
  `${list.length}${sampleFingerprinter.wasPartial ? '+' : ''}:${createHash('sha256').update(list.join()).digest('hex').slice(0, 8)}`

function lineOfFingerprints(line: string): string {
  const [written = ''] = line.split('\t')
  const text: string = JSON.parse(written)
  const half = text.slice(0, text.length / 2)
  const lists = [
    reported(resultOf(text)),
    reported(proposalOf({ body: text })),
    reported(proposalOf({ to: half, id: text.slice(half.length), n: [1, half] }, 'update_record_of')),
    reported(instructedOf(text)),
  ]
  return [written, ...lists].join('\t')
}

test('texts have the fingerprints that they had', () =>
  assertReadsAsExpected(FINGERPRINTS, lineOfFingerprints, process.env))
