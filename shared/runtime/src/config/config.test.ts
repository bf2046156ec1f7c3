import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PlimsollError } from '@plimsoll/contracts'
import { checkKafkaSettings, kafkaSettings, redisSettings, serviceSettings } from './common-settings.js'
import { type Environment, parseConfig, setting } from './config.js'

const settings = {
  ...kafkaSettings,
  ...redisSettings,
  ...serviceSettings,
  group: setting.text({ env: 'PLIMSOLL_NAME', doc: 'Group.', default: 'monitor' }),
  key: setting.text({
    env: 'PLIMSOLL_KEY',
    doc: 'Key.',
    required: true,
    isSecret: true,
    pattern: /^[0-9a-f]+$/,
    expects: 'hex digits',
  }),
  bundles: setting.list({ env: 'PLIMSOLL_BUNDLES', doc: 'Files.' }),
  chunk: setting.integer({ env: 'PLIMSOLL_CHUNK', doc: 'Records.', default: '256', min: 1, max: 10_000 }),
}

const parse = (env: Environment) => parseConfig(settings, env, { checks: [checkKafkaSettings] })

function problemsOf(env: Environment): readonly unknown[] {
  try {
    parse(env)
  } catch (error) {
    assert.ok(error instanceof PlimsollError)
    assert.equal(error.code, 'config_invalid')
    const problems = error.details['problems'] as string[]
    for (const problem of problems) assert.ok(error.message.includes(`\n  ${problem}`), problem)
    return problems
  }
  return []
}

test('what is not set has its default, and what has none is undefined', () => {
  const config = parse({ PLIMSOLL_KEY: 'abc', PLIMSOLL_NAME: '', PATH: '/bin', PLIMSOLL_TRACES: '/traces' })
  const { kafkaBrokers, kafkaSsl, redisUrl, topicPrefix, httpPort, group, bundles, chunk, logLevel } = config
  assert.deepEqual(
    { kafkaBrokers, kafkaSsl, redisUrl, topicPrefix, httpPort, group, bundles, chunk, logLevel },
    {
      kafkaBrokers: ['127.0.0.1:9092'],
      kafkaSsl: 'false',
      redisUrl: 'redis://127.0.0.1:6379',
      topicPrefix: 'plimsoll',
      httpPort: 9464,
      group: 'monitor',
      bundles: undefined,
      chunk: 256,
      logLevel: 'info',
    },
  )
  assert.ok(Object.isFrozen(config))
})

test('what is set is read', () => {
  const config = parse({
    PLIMSOLL_KEY: 'ff',
    KAFKA_BROKERS: 'kafka-0.kafka:9092, [::1]:9093,10.0.0.1:9092',
    KAFKA_SSL: 'true',
    KAFKA_SASL_MECHANISM: 'scram-sha-512',
    KAFKA_SASL_USERNAME: 'plimsoll',
    KAFKA_SASL_PASSWORD: 'secret',
    REDIS_URL: 'rediss://user:secret@redis:6380/2',
    PLIMSOLL_BUNDLES: 'a.json,b.json',
    PLIMSOLL_CHUNK: '10000',
    PLIMSOLL_HTTP_PORT: '0',
  })
  assert.deepEqual(config.kafkaBrokers, ['kafka-0.kafka:9092', '[::1]:9093', '10.0.0.1:9092'])
  assert.deepEqual([config.kafkaSsl, config.kafkaSaslMechanism], ['true', 'scram-sha-512'])
  assert.deepEqual([config.bundles, config.chunk, config.httpPort], [['a.json', 'b.json'], 10_000, 0])
})

test('reports all problems at once, one line each', () => {
  const env = {
    KAFKA_BROKERS: 'kafka',
    KAFKA_SSL: 'yes',
    REDIS_URL: 'http://user:secret@redis',
    PLIMSOLL_CHUNK: '0',
    PLIMSOLL_HTTP_PORT: '65536',
    PLIMSOLL_LOG_LEVEL: 'verbose',
    PLIMSOLL_CHUNKS: '7',
    PLIMSOLL_BUNDLES: 'a.json,,b.json',
  }
  assert.deepEqual(problemsOf(env), [
    'KAFKA_BROKERS: expected `host:port`, several separated by commas, got `kafka`',
    'KAFKA_SSL: expected `true`, `false` or the path of a `.pem`, `.crt` or `.cer` file, got `yes`',
    'REDIS_URL: expected an address such as `redis://…`, got a value',
    'PLIMSOLL_LOG_LEVEL: expected one of `debug`, `info`, `warn`, `error`, `silent`, got `verbose`',
    'PLIMSOLL_HTTP_PORT: expected a whole number from 0 to 65535, got `65536`',
    'PLIMSOLL_KEY: missing, expected hex digits',
    'PLIMSOLL_BUNDLES: expected texts separated by commas, got `a.json,,b.json`',
    'PLIMSOLL_CHUNK: expected a whole number from 1 to 10000, got `0`',
    'PLIMSOLL_CHUNKS: no such setting here; if another command uses it, unset it for this one',
  ])
})

test('reports problems of combined settings, and shows no secret', () => {
  const sasl = 'KAFKA_SASL_MECHANISM: expected KAFKA_SASL_USERNAME and KAFKA_SASL_PASSWORD with it'
  const lone = 'KAFKA_SASL_USERNAME, KAFKA_SASL_PASSWORD: expected KAFKA_SASL_MECHANISM with them'
  const cases: readonly [Environment, readonly string[]][] = [
    [{ KAFKA_SASL_MECHANISM: 'plain', KAFKA_SASL_USERNAME: 'u' }, [sasl]],
    [{ KAFKA_SASL_PASSWORD: 'p' }, [lone]],
    [{ PLIMSOLL_KEY: 'not hex, and secret' }, ['PLIMSOLL_KEY: expected hex digits, got a value']],
  ]
  for (const [env, expected] of cases) assert.deepEqual(problemsOf({ PLIMSOLL_KEY: 'ff', ...env }), expected)
})

test('each setting can be written about', () => {
  for (const each of Object.values(settings)) {
    assert.match(each.env, /^[A-Z][A-Z_]*$/)
    assert.ok(each.doc.endsWith('.') && each.expects !== '')
    if (each.default !== undefined) assert.ok(each.parse(each.default).ok, `the default of ${each.env}`)
  }
})
