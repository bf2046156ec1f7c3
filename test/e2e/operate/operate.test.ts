import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createClient, type Answer, type PlimsollClient, type Session } from '@plimsoll/client'
import { canonicalJson, registryKey, sign, versionOf, type Control } from '@plimsoll/contracts'
import { controlKeyOf, openRegistry } from '@plimsoll/runtime'
import { withoutPair } from '../../support/components/components.js'
import { SIGNING_KEY } from '../../support/sessions/deployment.js'
import { waitUntil } from '../../support/wait-until.js'
import type { Ended } from '../cli-process.js'
import {
  bundleNamed,
  onControlDeployment,
  policyThatBlocks,
  type ControlDeployment,
} from './control-world.js'

/** A step that the shipped documents allow. */
const READ = 'read_file'

async function onFleet(
  work: (deployment: ControlDeployment, client: PlimsollClient) => Promise<void>,
): Promise<void> {
  await onControlDeployment(async (deployment) => {
    await deployment.startMonitor()
    const client = await createClient({ log: deployment.log, topics: deployment.topics, timeoutMs: 60_000 })
    try {
      await work(deployment, client)
    } finally {
      await client.close()
    }
  })
}

function assertDone({ code, stdout, stderr }: Ended): void {
  assert.deepEqual([code, stderr], [0, ''], stdout)
}

/** Proposes a step, and completes it if allowed. */
async function ask(session: Session, tool: string): Promise<Answer> {
  const answer = await session.propose({ tool })
  if (answer.mayRun) await session.complete(answer)
  return answer
}

const verdictsOf = (sessions: readonly Session[], tool: string): Promise<Answer[]> =>
  Promise.all(sessions.map((session) => ask(session, tool)))

const sourcesOf = ({ decision }: Answer): string[] => (decision?.reasons ?? []).map(({ source }) => source)

describe('a fleet that is operated, on Kafka and Redis', { skip: withoutPair }, () => {
  test('activates and rolls back a version under running sessions; a damaged one never applies', () =>
    onFleet(async ({ plimsoll, file, log, topics, partitions }, client) => {
      const [a, b] = [bundleNamed('a'), bundleNamed('b')]
      const [versionA, versionB] = [versionOf(a), versionOf(b)]
      assertDone(await plimsoll('publish', await file(a), await file(b)))
      const session = await client.startSession()
      const bundleOf = async (of: Session): Promise<string | undefined> =>
        (await ask(of, READ)).decision?.versions?.bundle
      const shipped = await bundleOf(session)

      const activated = await plimsoll('control', 'activate', versionB.slice(0, 10))
      assertDone(activated)
      assert.match(activated.stdout, new RegExp(`^ {2}applied {3}0–${partitions - 1}$`, 'm'))
      const pinned = await client.startSession()
      assert.equal(await bundleOf(pinned), versionB, 'what starts now has the new one')
      assert.equal(await bundleOf(session), shipped, 'what ran keeps its own')

      assertDone(await plimsoll('control', 'activate', versionA, '--running', '--reason', 'roll back'))
      for (const each of [session, pinned, await client.startSession()])
        assert.equal(await bundleOf(each), versionA)

      // A writer to the topic overwrites B; neither running nor starting monitors accept it.
      const tampered = canonicalJson({ ...b, horizon: 1 })
      await log.produce(topics.registry, [
        { key: versionB, value: tampered },
        { key: 'd'.repeat(32), value: tampered },
      ])
      const unknown = await plimsoll('control', 'activate', 'd'.repeat(32), '--running')
      assert.equal(unknown.code, 1)
      assert.match(
        unknown.stderr,
        /registry record `d{32}` at offset \d+ is ignored: hash_mismatch: .*and 1 more/,
      )
      assert.match(unknown.stderr, /version_unknown/)
      assert.equal(await bundleOf(session), versionA, 'what stood stays')
      const shown = await plimsoll('control', 'show')
      assert.match(
        shown.stdout,
        new RegExp(`^bundle {5}${versionA}  a, by ada at \\S+: roll back, running sessions too$`, 'm'),
      )
      assert.doesNotMatch(shown.stdout, /DIFFERENT|NOT IN FORCE/)
    }))

  test('a partition refuses a change it cannot apply, with its reason, and keeps the previous one', () =>
    onFleet(async ({ plimsoll, file, log, topics, partitions }, client) => {
      const good = bundleNamed('good')
      assertDone(await plimsoll('publish', await file(good)))
      assertDone(await plimsoll('control', 'activate', versionOf(good)))
      // As from a command line that did not check that the version exists.
      const reported = {
        schema: 1,
        type: 'versions.activated',
        id: 'control-blind',
        time: Date.now() + 1000,
        by: 'eve',
        versions: { bundle: 'd'.repeat(32) },
        running: true,
      } as const
      const signed = (partition: number | null) =>
        JSON.stringify(sign<Control>({ ...reported, partition }, SIGNING_KEY))
      const registry = await openRegistry({ log, topic: topics.registry, signingKey: SIGNING_KEY })
      await log.produce(topics.registry, [{ key: registryKey.control(reported.id), value: signed(null) }])
      await log.produce(topics.events, [{ key: controlKeyOf(1, partitions), value: signed(1) }])
      await waitUntil('the partition has reported', () => registry.report(1)?.control === reported.id)
      assert.equal(registry.report(1)?.refused?.code, 'version_unavailable')
      await registry.close()

      const { stdout } = await plimsoll('control', 'show')
      assert.match(stdout, new RegExp(`^bundle {5}${versionOf(good)}  good, by ada at`, 'm'))
      assert.match(stdout, /^The latest change is NOT IN FORCE everywhere: activate bundle d{32}/m)
      assert.match(stdout, /^ {2}partition 1: refused: version_unavailable: .*d{32}/m)
      assert.match(stdout, /^ {2}partitions 0, 2: no answer/m)
      assert.doesNotMatch(stdout, /DIFFERENT/)
      for (let i = 0; i < 6; i++) {
        const { decision } = await ask(await client.startSession(), READ)
        assert.equal(decision?.versions?.bundle, versionOf(good))
      }
      assertDone(await plimsoll('control', 'activate', versionOf(good)))
      assert.doesNotMatch((await plimsoll('control', 'show')).stdout, /NOT IN FORCE/)
    }))

  test('an urgent policy applies to running sessions', () =>
    onFleet(async ({ plimsoll, file }, client) => {
      const policy = policyThatBlocks('urgent', READ)
      const sessions = await Promise.all(Array.from({ length: 6 }, () => client.startSession()))
      for (const { verdict } of await verdictsOf(sessions, READ)) assert.notEqual(verdict, 'block')
      assertDone(await plimsoll('publish', await file(policy)))
      assertDone(await plimsoll('control', 'activate', versionOf(policy), '--running', '--by', 'grace'))
      for (const answer of await verdictsOf(sessions, READ)) {
        assert.deepEqual([answer.verdict, sourcesOf(answer)[0]], ['block', 'blocklist'])
        assert.equal(answer.decision?.versions?.policy, versionOf(policy))
      }
    }))

  test('a stop blocks every later step of running sessions, and resume lifts it', () =>
    onFleet(async ({ plimsoll }, client) => {
      const names = ['acme~1', 'acme~2', 'other~1', 'plain']
      const stamp = Date.now().toString(36)
      const sessions = await Promise.all(
        names.map((name) => client.startSession({ id: `${name}-${stamp}`, agent: 'reader' })),
      )
      const answers: Answer[] = []
      const over = new AbortController()
      const running = sessions.map(async (session) => {
        while (!over.signal.aborted) answers.push(await ask(session, READ))
      })
      const isStopped = (answer: Answer) => sourcesOf(answer).includes('stop')
      try {
        await waitUntil('steps are allowed', () => answers.length > 20)
        assert.ok(answers.every((answer) => answer.verdict !== 'block'))
        assertDone(await plimsoll('control', 'stop', '--reason', 'a drill'))
        // All partitions have applied it: every later proposal comes after it.
        for (const answer of await verdictsOf(sessions, READ)) {
          assert.deepEqual([answer.verdict, isStopped(answer)], ['block', true])
          assert.match(JSON.stringify(answer.decision?.reasons), /stopped by `ada`: a drill/)
        }
        assertDone(await plimsoll('control', 'mode', 'observe'))
        assert.ok((await verdictsOf(sessions, READ)).every(isStopped), 'in observe mode too')
        assertDone(await plimsoll('control', 'mode', 'inherit'))
        assertDone(await plimsoll('control', 'resume', '--reason', 'over'))
        const resumed = await verdictsOf(sessions, READ)
        assert.ok(resumed.every((answer) => answer.verdict !== 'block' && !isStopped(answer)))
      } finally {
        over.abort()
        await Promise.all(running)
      }
      // Each session: allowed, then stopped without a gap, then allowed.
      for (const { id } of sessions) {
        const phases = answers
          .filter(({ decision }) => decision?.sessionId === id)
          .map((answer) => (isStopped(answer) ? 's' : '-'))
        assert.match(phases.join(''), /^-+s+-+$/)
      }

      assertDone(await plimsoll('control', 'stop', '--tenant', 'acme', '--reason', 'asked by acme'))
      const ofAcme = await verdictsOf(sessions, READ)
      assert.deepEqual(ofAcme.map(isStopped), [true, true, false, false])
      assert.match(
        (await plimsoll('control', 'show')).stdout,
        /^STOPPED {4}tenant acme, by ada at .*: asked by acme$/m,
      )
      assertDone(await plimsoll('control', 'resume', '--tenant', 'acme'))

      const history = (await plimsoll('control', 'show', '--history')).stdout.trimEnd().split('\n')
      assert.deepEqual(
        history.map((line) => line.replace(/^\S+ +ada +/, '')),
        [
          'stop the fleet: a drill',
          'mode observe for the fleet',
          'mode inherit for the fleet',
          'resume the fleet: over',
          'stop tenant acme: asked by acme',
          'resume tenant acme',
        ],
      )
    }))

  test('observe applies only to the named tenant or agent', () =>
    onFleet(async ({ plimsoll, file }, client) => {
      const policy = policyThatBlocks('strict', READ)
      assertDone(await plimsoll('publish', await file(policy)))
      assertDone(await plimsoll('control', 'activate', versionOf(policy)))
      const stamp = Date.now().toString(36)
      const sessions = await Promise.all(
        [
          ['acme~a', 'mailer'],
          ['acme~b', 'reader'],
          ['other~a', 'mailer'],
          ['other~b', 'reader'],
        ].map(([id = '', agent = '']) => client.startSession({ id: `${id}-${stamp}`, agent })),
      )
      const modes = async () =>
        (await verdictsOf(sessions, READ)).map(({ decision }) => {
          assert.equal(decision?.verdict, 'block', 'it is judged as ever')
          return decision.mode
        })
      const [enforce, observe] = ['enforce', 'observe']
      assert.deepEqual(await modes(), [enforce, enforce, enforce, enforce])
      assertDone(await plimsoll('control', 'mode', 'observe', '--tenant', 'acme'))
      assert.deepEqual(await modes(), [observe, observe, enforce, enforce])
      assertDone(await plimsoll('control', 'mode', 'observe', '--agent', 'mailer'))
      assert.deepEqual(await modes(), [observe, observe, observe, enforce])
      assertDone(await plimsoll('control', 'mode', 'enforce', '--tenant', 'acme', '--agent', 'mailer'))
      assert.deepEqual(await modes(), [enforce, observe, observe, enforce])
      assert.match(
        (await plimsoll('control', 'show')).stdout,
        /^mode {7}enforce for agent mailer of tenant acme, by ada/m,
      )
      assertDone(await plimsoll('control', 'mode', 'inherit', '--tenant', 'acme'))
      assert.deepEqual(await modes(), [enforce, enforce, observe, enforce])
    }))
})
