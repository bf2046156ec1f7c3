import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLogger } from '@plimsoll/runtime'
import { createMetrics } from '@plimsoll/runtime/metrics'
import { createReaderErrors } from './metrics.js'

test('every error of a reader of arguments is counted, and the first is logged', async () => {
  const metrics = createMetrics()
  const lines: string[] = []
  const onReaderError = createReaderErrors(
    metrics,
    createLogger({ level: 'info', write: (line) => lines.push(line) }),
  )
  for (const problem of ['first', 'second', 'third']) onReaderError(new TypeError(problem))
  assert.match(await metrics.text(), /gateway_reader_errors_total 3/)
  assert.equal(lines.length, 1)
  assert.match(lines[0] ?? '', /first/)
})
