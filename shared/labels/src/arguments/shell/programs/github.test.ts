import assert from 'node:assert/strict'
import { test } from 'node:test'
import { labelStep } from '../../label-step.js'
import { SHELL } from '../../samples.js'

const stepOf = (command: string) => labelStep('bash', { command }, SHELL, undefined)

test('a request that gives access names whom and where; to ask who is in changes nothing', () => {
  const { objects, signals } = stepOf('gh api -X PUT repos/acme/site/collaborators/lena-k -f permission=pull')
  assert.equal(signals['doesGrant'], 1)
  assert.equal(signals['doesOverwrite'], undefined)
  assert.deepEqual(
    objects.map(({ act, thing }) => [act, thing]),
    [
      ['grant', 'lena-k'],
      ['grant', 'acme/site'],
    ],
  )
  assert.equal(
    stepOf("gh api repos/acme/site/collaborators --jq '.[].login'").signals['doesGrant'],
    undefined,
  )
})
