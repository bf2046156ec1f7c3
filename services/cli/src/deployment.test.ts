import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withReleasers } from '@plimsoll/runtime'
import { reportRefusals } from './deployment.js'

test('shows one refusal for each reason, with the number of others', async () => {
  const lines: string[] = []
  const stderr = { write: (text: string) => void lines.push(text), isTerminal: false }
  const { value: refuse, release } = await withReleasers(async (onRelease) =>
    reportRefusals(stderr, onRelease),
  )
  refuse({ key: 'control/a', offset: 3n, reason: 'signature_invalid', message: 'forged' })
  refuse({ key: 'control/\u001b[2J', offset: 4n, reason: 'signature_invalid', message: 'forged' })
  refuse({ key: 'd', offset: 5n, reason: 'hash_mismatch', message: 'other' })
  assert.deepEqual(lines, [])
  await release()
  assert.deepEqual(lines, [
    'plimsoll: registry record `control/\\u{1b}[2J` at offset 4 is ignored: signature_invalid: forged; and 1 more like it\n',
    'plimsoll: registry record `d` at offset 5 is ignored: hash_mismatch: other\n',
  ])
})
