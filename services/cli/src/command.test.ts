import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, describe, test } from 'node:test'
import { PlimsollError } from '@plimsoll/contracts'
import { withSecretFiles } from './command.js'
import { loadCommands } from './commands.js'

const COMMANDS = await loadCommands()

describe('secrets in files', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'plimsoll-secret-'))
  const file = path.join(folder, 'key')
  writeFileSync(file, 'sixteen characters and more\n')
  after(() => rmSync(folder, { recursive: true }))

  test('take the place of the variable, without the end of the line', () => {
    const env = { PLIMSOLL_SIGNING_KEY_FILE: file, KAFKA_BROKERS: 'kafka:9092', PLIMSOLL_SIGNING_KEY: '' }
    assert.deepEqual(withSecretFiles(env, COMMANDS), {
      KAFKA_BROKERS: 'kafka:9092',
      PLIMSOLL_SIGNING_KEY: 'sixteen characters and more',
    })
  })

  test('are for secrets alone: other names stay as they are', () => {
    const env = { KAFKA_SSL: file, PLIMSOLL_TOPIC_PREFIX_FILE: file }
    assert.deepEqual(withSecretFiles(env, COMMANDS), env)
  })

  const wrong = [
    { name: 'both set', env: { REDIS_URL: 'redis://a', REDIS_URL_FILE: file }, found: /REDIS_URL: set/ },
    {
      name: 'no file',
      env: { REDIS_URL_FILE: `${file}s` },
      found: /REDIS_URL_FILE: `.*keys` cannot be read \(ENOENT\)/,
    },
  ]
  for (const { name, env, found } of wrong)
    test(`reports ${name}`, () => {
      const isReported = (error: unknown) =>
        error instanceof PlimsollError && error.code === 'config_invalid' && found.test(error.message)
      assert.throws(() => withSecretFiles(env, COMMANDS), isReported)
    })
})
