import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { versionOf } from '@plimsoll/contracts'
import { openRegistry, type LogRecord } from '@plimsoll/runtime'
import { kafka } from '../../support/components/components.js'
import { bundleNamed, onControlDeployment, policyThatBlocks } from '../operate/control-world.js'

describe('`publish` on Kafka', { skip: kafka.skip }, () => {
  test('publishes documents of every kind, and says which already existed', () =>
    onControlDeployment(async ({ log, topics, plimsoll, file }) => {
      const [policy, bundle] = [policyThatBlocks('strict', 'send_money'), bundleNamed('spring')]
      const first = await plimsoll('publish', await file(policy))
      assert.deepEqual(first, {
        code: 0,
        signal: null,
        stdout: `policy  ${versionOf(policy)}  strict\n`,
        stderr: '',
      })
      // The version is that of the content: the same document in YAML or in another file has it too.
      const catalogue = 'shared/labels/catalogues/default.yaml'
      const second = await plimsoll('publish', await file(policy), await file(bundle), catalogue, '--json')
      assert.deepEqual([second.code, second.stderr], [0, ''])
      const reported = JSON.parse(second.stdout) as { kind: string; version: string; isNew: boolean }[]
      assert.deepEqual(
        reported.map(({ kind, isNew }) => [kind, isNew]),
        [
          ['policy', false],
          ['bundle', true],
          ['catalogue', true],
        ],
      )
      const registry = await openRegistry({ log, topic: topics.registry, watch: false })
      assert.deepEqual(registry.document(versionOf(bundle))?.document, bundle)
      assert.deepEqual(
        registry.documents().map(({ version }) => version),
        reported.map(({ version }) => version),
      )
    }))

  test('refuses damaged files with every problem of each, and publishes none of the others', () =>
    onControlDeployment(async ({ log, topics, plimsoll, file }) => {
      const good = policyThatBlocks('good', 'x')
      const { code, stdout, stderr } = await plimsoll(
        'publish',
        await file(good),
        await file({ ...good, hazard: ['warn'], name: '' }),
        await file({ ...bundleNamed('b'), horizon: 0 }),
      )
      assert.deepEqual([code, stdout], [2, ''])
      assert.match(stderr, /document_invalid: policy `.*1\.json`: .*name: .*; hazard/)
      assert.match(stderr, /^ {2}bundle `.*2\.json`: horizon: /m)
      assert.match(stderr, /^nothing was published$/m)
      const records: LogRecord[] = []
      await log.read(topics.registry, (record) => void records.push(record))
      assert.deepEqual(records, [])
    }))

  test('refuses a document too large for the topic, and says which limit to raise', () =>
    onControlDeployment(async ({ log, topics, plimsoll, file }) => {
      const tools = Array.from({ length: 512 }, (_, i) => `${'x'.repeat(190)}${i}`)
      const specs = Array.from({ length: 12 }, (_, i) => ({
        id: `s${i}`,
        tier: 'blocklist' as const,
        tools,
      }))
      const { code, stderr } = await plimsoll('publish', await file({ ...policyThatBlocks('huge'), specs }))
      assert.equal(code, 2)
      assert.match(
        stderr,
        /document_invalid: policy `huge` has \d+ bytes, and topic `.*registry` accepts 1048588: raise its max\.message\.bytes to at least \d+/,
      )
      assert.deepEqual((await log.describe(topics.registry))?.[0]?.nextOffset, 0n)
    }))
})
