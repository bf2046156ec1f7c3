import assert from 'node:assert/strict'
import { test } from 'node:test'
import { headersOf, passedOn, variablesOf } from './variables.js'

const environment = {
  PATH: '/bin',
  SLACK_BOT_TOKEN: 'xoxb-1',
  EMPTY: '',
  GONE: undefined,
  PLIMSOLL_API_KEY: 'k1',
  PLIMSOLL_SIGNING_KEY: 'k2',
  PLIMSOLL_FINGERPRINT_KEY: 'k3',
}

test('a command that you typed gets everything but what is Plimsoll’s', () => {
  assert.deepEqual(passedOn(environment), ['PATH', 'SLACK_BOT_TOKEN', 'EMPTY'])
  assert.deepEqual(passedOn(environment, ['SLACK_BOT_TOKEN']), ['PATH', 'EMPTY'])
})

const given: { env: string[] | Record<string, string>; expected: Record<string, string> }[] = [
  { env: [], expected: {} },
  { env: ['SLACK_BOT_TOKEN', 'EMPTY'], expected: { SLACK_BOT_TOKEN: 'xoxb-1', EMPTY: '' } },
  { env: { TOKEN: 'plain' }, expected: { TOKEN: 'plain' } },
  { env: { TOKEN: '${SLACK_BOT_TOKEN}' }, expected: { TOKEN: 'xoxb-1' } },
  { env: { TOKEN: 'a ${env:SLACK_BOT_TOKEN}, ${PATH}' }, expected: { TOKEN: 'a xoxb-1, /bin' } },
  { env: { TOKEN: '${GONE:-none}${EMPTY:-none}' }, expected: { TOKEN: 'none' } },
  { env: { TOKEN: '$HOME and ${input:token}' }, expected: { TOKEN: '$HOME and ${input:token}' } },
]
for (const { env, expected } of given)
  test(`\`env\` ${JSON.stringify(env)}`, () =>
    assert.deepEqual(variablesOf('slack', env, environment), expected))

const missing = { code: 'config_invalid', message: /server `slack` needs the variable `GONE`, .* not set: / }
const lacking: (string[] | Record<string, string>)[] = [
  ['GONE'],
  { TOKEN: '${GONE}' },
  { TOKEN: '${env:GONE}' },
]
for (const env of lacking)
  test(`names the variable that is missing: ${JSON.stringify(env)}`, () =>
    assert.throws(() => variablesOf('slack', env, environment), missing))

test('a header is the name of a variable, or a text with variables', () => {
  const headers = { authorization: 'Bearer ${SLACK_BOT_TOKEN}', 'x-token': 'SLACK_BOT_TOKEN' }
  const expected = { authorization: 'Bearer xoxb-1', 'x-token': 'xoxb-1' }
  assert.deepEqual(headersOf('slack', headers, environment), expected)
  assert.throws(() => headersOf('slack', { authorization: 'GONE' }, environment), missing)
})
