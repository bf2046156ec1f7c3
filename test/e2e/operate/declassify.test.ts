import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Policy } from '@plimsoll/contracts'
import { defaultDocuments } from '@plimsoll/policy'
import { registerDocument } from '@plimsoll/runtime'
import { withoutPair } from '../../support/components/components.js'
import { decisionsOf, deploy, settingsOf } from '../../support/sessions/deployment.js'
import { sessionScript } from '../../support/sessions/events.js'
import { runCli } from '../cli-process.js'

const SPECS: Policy['specs'] = [
  {
    id: 'kept-in',
    tier: 'blocklist',
    flow: { from: { trust: ['untrusted'] }, to: { tools: ['send_email'] } },
  },
  {
    id: 'mailed',
    tier: 'mustlist',
    tools: ['read_email'],
    followedBy: { step: { tools: ['list_files'] }, within: 'session' },
  },
]

describe('`declassify` on Kafka and Redis', { skip: withoutPair }, () => {
  test('declassifies data for one flow spec; an unknown spec fails', async () => {
    const { policy: shipped } = await defaultDocuments()
    const policy = {
      ...shipped,
      line: { present: 'allow', absent: 'allow', unknown: 'allow' } as const,
      specs: SPECS,
    }
    const deployment = await deploy('real', { partitions: 1, documents: { policy } })
    const env = settingsOf(deployment)
    const run = async (...args: string[]) => runCli(args, { env })
    try {
      await registerDocument(deployment.log, deployment.topics.registry, policy)
      await deployment.startMonitor().started
      const script = sessionScript('s-1')
      await deployment.publish([
        script.start(),
        script.propose('read_email', 'reads'),
        script.complete('read_email', 'reads'),
        script.propose('send_email', 'before'),
      ])
      const verdictOn = (callId: string) =>
        decisionsOf(deployment).find((each) => each.callId === callId)?.verdict
      await deployment.until('the block', () => verdictOn('before') !== undefined)
      assert.equal(verdictOn('before'), 'block')
      const shown = await run('sessions', 'show', 's-1')
      assert.match(shown.stdout, /^has come in +untrusted, for kept-in$/m)
      assert.match(shown.stdout, /^owed +mailed, until the session ends$/m)
      const grant = ['declassify', 's-1', '--by', 'ines', '--reason', 'looked at it', '--spec']
      const unknown = await run(...grant, 'mailed')
      assert.equal(unknown.code, 1)
      assert.match(unknown.stderr, /^plimsoll: spec_unknown: /)
      const granted = await run(...grant, 'kept-in')
      assert.equal(granted.code, 0, granted.stderr)
      assert.equal(granted.stdout, 's-1: declassified for kept-in by ines\n')
      await deployment.publish([script.propose('send_email', 'after'), script.end()])
      await deployment.until('the alert', () => decisionsOf(deployment).some(({ kind }) => kind === 'alert'))
      // The shipped model's reasons for the step are unchanged.
      const mailed = decisionsOf(deployment).find(({ callId }) => callId === 'after')
      assert.ok(mailed && mailed.verdict !== 'block')
      assert.ok(!mailed.reasons.some(({ code }) => code === 'kept-in'))
      const after = await run('sessions', 'show', 's-1')
      assert.doesNotMatch(after.stdout, /^has come in/m)
      assert.match(after.stdout, /declassified for kept-in by ines: looked at it$/m)
      assert.match(after.stdout, /ended\n +→ warn +.*alert\n +warn by mustlist:mailed: the session ended/)
      assert.match((await run(...grant, 'kept-in')).stderr, /session_ended/)
      const nobody = await run('declassify', 'nobody', ...grant.slice(2), 'kept-in')
      assert.match(nobody.stderr, /session_state_lost/)
    } finally {
      await deployment.close()
    }
  })
})
