import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { controlSchema, isSignedBy, versionOf, type Control } from '@plimsoll/contracts'
import { openRegistry, type LogRecord } from '@plimsoll/runtime'
import { kafka, withoutPair } from '../../support/components/components.js'
import { SIGNING_KEY } from '../../support/sessions/deployment.js'
import { bundleNamed, onControlDeployment, policyThatBlocks } from './control-world.js'

describe('control changes while no monitor runs', { skip: kafka.skip }, () => {
  test('are written to every partition and the audit, and the command says that no partition has reported them', () =>
    onControlDeployment(async ({ log, topics, partitions, plimsoll, file }) => {
      const policy = policyThatBlocks('strict', 'send_money')
      const version = versionOf(policy)
      assert.equal((await plimsoll('publish', await file(policy))).code, 0)
      const sent = await plimsoll(
        'control',
        'activate',
        version.slice(0, 8),
        '--running',
        '--reason',
        'a leak',
        '--wait',
        '1',
      )
      assert.equal(sent.code, 1)
      assert.match(
        sent.stdout,
        new RegExp(`^activate policy ${version} for new and running sessions, by ada at`),
      )
      assert.match(sent.stdout, /^ {2}silent {4}0–2$/m)
      assert.match(
        sent.stderr,
        /^plimsoll: partitions 0–2 did not answer within 1 s: .* counts once a monitor reads it; no monitor is in group `.*`: start one$/m,
      )
      const records: LogRecord[] = []
      await log.read(topics.events, (record) => void records.push(record))
      const controls = records.map(({ value }) => controlSchema.parse(JSON.parse(String(value))))
      assert.equal(records.length, partitions)
      for (const [i, control] of controls.entries()) {
        assert.ok(isSignedBy(control, SIGNING_KEY))
        assert.equal(control.partition, records[i]?.partition)
        assert.match(records[i]?.key ?? '', /^#\d+$/)
        assert.deepEqual({ ...control, partition: null, signature: '', id: '', time: 0 } satisfies Control, {
          schema: 1,
          type: 'versions.activated',
          id: '',
          partition: null,
          time: 0,
          by: 'ada',
          reason: 'a leak',
          versions: { policy: version },
          running: true,
          signature: '',
        })
      }
      const registry = await openRegistry({
        log,
        topic: topics.registry,
        signingKey: SIGNING_KEY,
        watch: false,
      })
      assert.deepEqual(
        registry.controls().map(({ id }) => id),
        [controls[0]?.id],
      )

      const shown = await plimsoll('control', 'show')
      assert.deepEqual([shown.code, shown.stderr], [0, ''])
      assert.match(shown.stdout, /^policy {5}as each monitor's files say$/m)
      assert.match(shown.stdout, /^The latest change is NOT IN FORCE everywhere: activate policy/m)
      assert.match(shown.stdout, /^ {2}partitions 0–2: no answer; is a monitor running\?$/m)
      assert.match(shown.stdout, new RegExp(`^policy {5}${version}  strict$`, 'm'))
      const history = await plimsoll('control', 'show', '--history')
      assert.match(history.stdout, /^\S+Z {2}ada {11}activate policy .*: a leak\n$/)
    }))

  test('are not sent when they could not take effect', () =>
    onControlDeployment(async ({ log, topics, plimsoll, file }) => {
      const [first, second] = [bundleNamed('first'), bundleNamed('second')]
      const policy = policyThatBlocks('strict', 'send_money')
      const policyVersion = versionOf(policy)
      const files = [await file(first), await file(second), await file(policy)]
      assert.equal((await plimsoll('publish', ...files)).code, 0)
      const rows: readonly (readonly [args: readonly string[], code: number, message: RegExp])[] = [
        [
          ['control', 'activate', 'f'.repeat(32)],
          1,
          /version_unknown: .*: publish it with `plimsoll publish FILE`/,
        ],
        [['control', 'activate', versionOf(first), versionOf(second)], 2, /are both a bundle/],
        [['control', 'activate'], 2, /usage_invalid: name a VERSION/],
        [['control', 'activate', versionOf(first), '--shadow', 'none'], 2, /`--shadow` activates nothing/],
        [
          ['control', 'activate', '--shadow', versionOf(first), '--running'],
          2,
          /`--shadow` activates nothing/,
        ],
        [['control', 'activate', '--shadow', 'first'], 2, /`first` is no version/],
        [
          ['control', 'activate', '--shadow', versionOf(first), '--shadow', versionOf(second)],
          2,
          /are both a bundle/,
        ],
        [
          ['control', 'activate', '--shadow', policyVersion, '--shadow', 'none'],
          2,
          /no other candidate beside it/,
        ],
        [
          ['control', 'activate', '--shadow', '/nowhere/policy.yaml'],
          2,
          /document_invalid: .* cannot be read: there is no such file, .*\nnothing was published/,
        ],
        [['control', 'mode', 'observe', '--tenant', 'Acme'], 2, /usage_invalid: tenant: expected/],
        [
          ['control', 'stop', '--reason', 'two\nlines'],
          2,
          /usage_invalid: reason: expected no control characters/,
        ],
      ]
      for (const [args, code, message] of rows) {
        const ended = await plimsoll(...args)
        assert.match(ended.stderr, message)
        assert.deepEqual([ended.code, ended.stdout], [code, ''])
      }
      const described = await log.describe(topics.events)
      assert.ok(
        described?.every(({ nextOffset }) => nextOffset === 0n),
        'nothing was sent',
      )
    }))
})

describe('a candidate in shadow', { skip: withoutPair }, () => {
  test('is published, started, shown and stopped from the command line', () =>
    onControlDeployment(async ({ plimsoll, file, startMonitor }) => {
      const candidate = bundleNamed('candidate')
      const version = versionOf(candidate)
      assert.equal((await plimsoll('publish', await file(candidate))).code, 0)
      await startMonitor()
      const began = await plimsoll(
        'control',
        'activate',
        '--shadow',
        version.slice(0, 8),
        '--reason',
        'refitted',
      )
      assert.deepEqual([began.code, began.stderr], [0, ''])
      assert.match(began.stdout, new RegExp(`^run bundle ${version} in shadow, by ada at .*: refitted$`, 'm'))
      assert.match(began.stdout, /^ {2}applied {3}0–2$/m)
      const shown = await plimsoll('control', 'show')
      assert.match(shown.stdout, new RegExp(`^shadow {5}bundle ${version} {2}candidate, by ada at`, 'm'))
      assert.match(shown.stdout, /^bundle {5}as each monitor's files say$/m, 'nothing is activated')
      const ended = await plimsoll('control', 'activate', '--shadow', 'none')
      assert.equal(ended.code, 0)
      assert.doesNotMatch((await plimsoll('control', 'show')).stdout, /^shadow/m)
      const { stdout } = await plimsoll('control', 'show', '--history')
      assert.match(stdout, /run bundle .* in shadow: refitted\n.*run nothing in shadow\n$/)
    }))

  test('may be a policy, a file to publish first, or a policy and a bundle together', () =>
    onControlDeployment(async ({ plimsoll, file, startMonitor }) => {
      const tried = policyThatBlocks('tried', 'send_money')
      const bundle = bundleNamed('with it')
      await startMonitor()
      const alone = await plimsoll('control', 'activate', '--shadow', await file(tried))
      assert.deepEqual([alone.code, alone.stderr], [0, ''])
      assert.match(alone.stdout, new RegExp(`^run policy ${versionOf(tried)} in shadow, by ada`, 'm'))
      assert.equal((await plimsoll('publish', await file(bundle))).code, 0)
      const shadows = ['--shadow', versionOf(tried).slice(0, 10), '--shadow', versionOf(bundle)]
      const both = await plimsoll('control', 'activate', ...shadows)
      assert.equal(both.code, 0, both.stderr)
      const { stdout } = await plimsoll('control', 'show')
      assert.match(stdout, new RegExp(`^shadow {5}bundle ${versionOf(bundle)} {2}with it, by ada`, 'm'))
      assert.match(stdout, new RegExp(`^shadow {5}policy ${versionOf(tried)} {2}tried, by ada`, 'm'))
    }))
})
