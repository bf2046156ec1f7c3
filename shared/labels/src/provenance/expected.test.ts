import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { assertReadsAsExpected } from '../arguments/python-tokens.js'
import { instructedOf, proposalOf, resultOf, sampleFingerprinter } from './sample-fingerprints.js'

/**
 * The fingerprints of many kinds of text under one key, kept in a file: what one version of a client read, another must find again, and
 * sessions outlive both. Each line is a text as JSON, and for a result, a proposal, its arguments apart and instructions how many
 * fingerprints there are, whether the list is partial (`+`) and a digest of the list. Written again with PLIMSOLL_WRITE_EXPECTED=1.
 */
const EXPECTED = new URL('../../expected/fingerprints.txt', import.meta.url)

const reported = (list: readonly string[]): string =>
  `${list.length}${sampleFingerprinter.wasPartial ? '+' : ''}:${createHash('sha256').update(list.join()).digest('hex').slice(0, 8)}`

function readLine(line: string): string {
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
  assertReadsAsExpected(EXPECTED, readLine, process.env))
