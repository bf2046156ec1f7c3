import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { labelStep } from './arguments/label-step.js'
import { CODE, MAIL, REQUEST, SHELL, SQL, formatLabels } from './arguments/samples.js'
import {
  addressedOf,
  instructedOf,
  proposalOf,
  resultOf,
  sampleFingerprinter,
  taskOf,
} from './provenance/sample-fingerprints.js'

/**
 * Compares a reader with a file of expected lines, so that the diff shows each changed reading. With PLIMSOLL_WRITE_EXPECTED=1 in the
 * environment it rewrites the file instead: review each changed line.
 *
 * @param readLine gives the current line for a line of the file.
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

/** Readings of hundreds of arguments. PLIMSOLL_WRITE_EXPECTED=1 rewrites the file: review each changed line. */
const READINGS = new URL('../expected/readings.txt', import.meta.url)
const ENTRIES = {
  bash: SHELL,
  sql_query: SQL,
  python: CODE,
  http_request: REQUEST,
  send_email: MAIL,
} as const
const ORGANISATION = { domains: ['ours.example'] }

/** A line holds, separated by tabs: tool name, arguments as JSON, reading. */
function lineOfReading(line: string): string {
  const [tool = '', written = ''] = line.split('\t')
  const entry = ENTRIES[tool as keyof typeof ENTRIES]
  const { labels, signals } = labelStep(tool, JSON.parse(written), entry, ORGANISATION)
  const noted = Object.entries(signals)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${Math.round(value * 100) / 100}`)
  return [tool, written, formatLabels(labels), noted.join(' ')].join('\t')
}

test('the readings of arguments match the recorded ones', () =>
  assertReadsAsExpected(READINGS, lineOfReading, process.env))

/**
 * Fingerprints of many kinds of text under one key. They must not change: sessions outlive client versions, so one version must match
 * what another recorded. Each line is a text as JSON, then for result, proposal, arguments, instructions, task and addressed values the number
 * of fingerprints, `+` if the list is partial, and a digest of the list. PLIMSOLL_WRITE_EXPECTED=1 rewrites the file.
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
    reported(taskOf(text)),
    reported(addressedOf({ to: text, url: half, note: text.slice(half.length) })),
  ]
  return [written, ...lists].join('\t')
}

test('fingerprints of texts match the recorded ones', () =>
  assertReadsAsExpected(FINGERPRINTS, lineOfFingerprints, process.env))
