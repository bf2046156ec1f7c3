import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PlimsollError } from '@plimsoll/contracts'
import { type LogLevel, createLogger, silentLogger } from './logger.js'

function loggerTo(lines: string[], level: LogLevel = 'debug') {
  return createLogger({ level, write: (line) => lines.push(line), now: () => 0 })
}

const onlyLine = (log: (logger: ReturnType<typeof loggerTo>) => void): Record<string, unknown> => {
  const lines: string[] = []
  log(loggerTo(lines))
  assert.equal(lines.length, 1)
  assert.ok(lines[0]?.endsWith('}\n'))
  return JSON.parse(lines[0] ?? '') as Record<string, unknown>
}

test('a line is one JSON object with time, level, message and fields', () => {
  const time = '1970-01-01T00:00:00.000Z'
  assert.deepEqual(
    onlyLine((logger) => logger.child({ topic: 'x' }).warn('two\nlines', { offset: 7n, isLate: true })),
    { time, level: 'warn', msg: 'two\nlines', topic: 'x', offset: '7', isLate: true },
  )
})

test('only the levels that are asked for are written', () => {
  const cases: readonly [LogLevel, string[]][] = [
    ['debug', ['debug', 'info', 'warn', 'error']],
    ['info', ['info', 'warn', 'error']],
    ['error', ['error']],
    ['silent', []],
  ]
  for (const [level, expected] of cases) {
    const lines: string[] = []
    const logger = loggerTo(lines, level)
    for (const each of ['debug', 'info', 'warn', 'error'] as const) logger[each](each)
    assert.deepEqual(
      lines.map((line) => (JSON.parse(line) as { msg: string }).msg),
      expected,
    )
  }
  silentLogger.error('nobody hears this')
})

test('secrets are blacked out, wherever they stand', () => {
  const { sasl, password, apiKey, nested, url, msg, error } = onlyLine((logger) =>
    logger.info('connecting to redis://user:pa55@host:6379/0', {
      sasl: { username: 'u', password: 'pa55' },
      password: 'pa55',
      apiKey: 'pa55',
      nested: { deep: { signingKey: 'pa55', kept: 'kept' } },
      url: 'rediss://:pa55@host',
      error: new Error('connect redis://:pa55@host failed'),
    }),
  )
  assert.deepEqual([sasl, password, apiKey], ['[redacted]', '[redacted]', '[redacted]'])
  assert.deepEqual(nested, { deep: { signingKey: '[redacted]', kept: 'kept' } })
  assert.deepEqual([url, msg], ['rediss://[redacted]@host', 'connecting to redis://[redacted]@host:6379/0'])
  assert.doesNotMatch(JSON.stringify(error), /pa55/)
})

test('logs an expected error with its code and causes, any other with the top of its stack', () => {
  const expected = onlyLine((logger) =>
    logger.error('failed', {
      error: new PlimsollError('log_unavailable', 'kafka does not answer', {
        cause: new Error('ECONNREFUSED'),
      }),
    }),
  ).error as Record<string, unknown>
  assert.deepEqual(
    [expected.name, expected.code, expected.message],
    ['PlimsollError', 'log_unavailable', 'kafka does not answer'],
  )
  assert.equal((expected.cause as { message: string }).message, 'ECONNREFUSED')
  assert.equal(expected.stack, undefined)
  const other = onlyLine((logger) => logger.error('failed', { error: new TypeError('a bug') })).error
  assert.match((other as { stack: string }).stack, /^TypeError: a bug\n/)
})

test('what cannot be written as JSON does not make logging fail', () => {
  const circle: Record<string, unknown> = {}
  circle.self = circle
  assert.equal(onlyLine((logger) => logger.info('round', { circle })).unloggable, true)
})
