import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, test } from 'node:test'
import { bundleSchema, versionOf, type Event } from '@plimsoll/contracts'
import { readDocument } from '@plimsoll/policy'
import { withoutPair } from '../../support/components/components.js'
import { waitUntil } from '../../support/wait-until.js'
import { wholeSession } from '../../support/sessions/events.js'
import { runCli } from '../cli-process.js'
import { onControlDeployment, type ControlDeployment } from '../operate/control-world.js'

const TOOLS = [
  'list_files',
  'read_file',
  'list_files',
  'write_file',
  'read_file',
  'list_files',
  'read_file',
  'read_file',
]
const SESSIONS = 200

async function publishFleet({ log, topics }: ControlDeployment): Promise<void> {
  for (let first = 0; first < SESSIONS; first += 50) {
    const events: Event[] = []
    for (let n = first; n < first + 50; n++) events.push(...wholeSession(`s${n}`, TOOLS, 'code_debugging'))
    await log.produce(
      topics.events,
      events.map((event) => ({ key: event.sessionId, value: JSON.stringify(event) })),
    )
  }
}

/** Records of the decisions topic. */
async function lengthOf({ log, topics }: ControlDeployment): Promise<number> {
  const partitions = (await log.describe(topics.decisions)) ?? []
  return partitions.reduce((sum, { nextOffset }) => sum + Number(nextOffset), 0)
}

describe('`fit --from-live` on Kafka and Redis', { skip: withoutPair }, () => {
  test('says what is missing; then refits the active bundle, which can be published and activated', () =>
    onControlDeployment(async (deployment) => {
      const { monitorEnv, startMonitor, plimsoll, file } = deployment
      const out = await file({})
      const fit = (...args: string[]) =>
        runCli(['fit', '--from-live', '--out', out, ...args], { env: monitorEnv })
      const empty = await fit()
      assert.notEqual(empty.code, 0)
      assert.match(empty.stderr, /counts_too_few: nothing was counted under the states of bundle `[^`]+`/)
      assert.match(
        (await fit('--traces', out)).stderr,
        /usage_invalid: use only one of `--traces`, `--topic` and `--from-live`/,
      )
      await startMonitor()
      await publishFleet(deployment)
      await waitUntil('all decisions', async () => (await lengthOf(deployment)) >= SESSIONS * TOOLS.length, {
        timeoutMs: 60_000,
      })
      // The end of the last sessions gives no decision.
      await waitUntil('the last ends', async () => / 200 +\d+ +200 /.test((await fit()).stdout), {
        timeoutMs: 30_000,
      })
      const { code, stdout, stderr } = await fit()
      assert.deepEqual([code, stderr], [0, ''])
      const bundle = bundleSchema.parse(JSON.parse(await readFile(out, 'utf8')))
      const present = await readDocument('bundle')
      assert.match(stdout, new RegExp(`version ${versionOf(bundle)}`))
      assert.match(stdout, /sysadmin \(kept\)/)
      assert.equal(bundle.aggregate.traces, SESSIONS)
      assert.equal(bundle.aggregate.transitions, SESSIONS * TOOLS.length)
      assert.deepEqual(bundle.categories['sysadmin'], present.categories['sysadmin'])
      assert.notDeepEqual(bundle.categories['code_debugging'], present.categories['code_debugging'])
      assert.deepEqual(bundle.aggregate.thresholds, present.aggregate.thresholds)
      const origin = bundle.origin as {
        live: { aggregate: { sessions: number } }
        present: { version: string }
      }
      assert.equal(origin.live.aggregate.sessions, SESSIONS)
      assert.equal(origin.present.version, versionOf(present))
      assert.equal((await plimsoll('publish', out)).code, 0)
      const activated = await plimsoll('control', 'activate', versionOf(bundle).slice(0, 10), '--running')
      assert.equal(activated.code, 0, activated.stderr)
    }))
})
