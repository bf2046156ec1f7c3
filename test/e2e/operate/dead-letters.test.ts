import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { decisionSchema } from '@plimsoll/contracts'
import { kafka, withoutPair } from '../../support/components/components.js'
import { deploy, type Deployment } from '../../support/sessions/deployment.js'
import { sessionScript } from '../../support/sessions/events.js'
import { runCli } from '../cli-process.js'

async function onDeployment(
  work: (deployment: Deployment, dlq: (...args: string[]) => Promise<string>) => Promise<void>,
) {
  const deployment = await deploy('real', { partitions: 2 })
  const env = {
    KAFKA_BROKERS: kafka.brokers.join(','),
    PLIMSOLL_TOPIC_PREFIX: `${deployment.prefix}plimsoll`,
  }
  const dlq = async (...args: string[]) => {
    const { code, stdout, stderr } = await runCli(['dlq', ...args], { env })
    assert.equal(code, 0, stderr)
    return stdout
  }
  try {
    await deployment.startMonitor().started
    await work(deployment, dlq)
  } finally {
    await deployment.close()
  }
}

interface Listed {
  readonly count: number
  readonly letters: readonly {
    readonly partition: number
    readonly offset: string
    readonly code: string
    readonly key: string | null
    readonly origin: { readonly topic: string; readonly partition: number; readonly offset: string }
    readonly valueBytes: number | null
  }[]
}
const parse = (text: string) => JSON.parse(text) as Listed

describe('`dlq` on Kafka', { skip: withoutPair }, () => {
  test('lists and shows dead letters, with control characters escaped', () =>
    onDeployment(async ({ publishRaw, until, seen, topics }, dlq) => {
      assert.equal(await dlq('list'), 'no dead letters\n')
      const evil = '\u001b[2J\u001b]0;owned\u0007'
      await publishRaw('s-1', JSON.stringify({ schema: 1, type: 'tool.imagined', id: evil }))
      await publishRaw(evil, 'no json at all\u001b[2J')
      await publishRaw('s-2', Buffer.from([0xff, 0x00, 0x41]))
      await publishRaw('s-2', null)
      await until('four dead letters', () => seen.deadLetters.length === 4)

      const { count, letters } = parse(await dlq('list', '--json'))
      assert.equal(count, 4)
      assert.deepEqual(letters.map(({ code }) => code).sort(), [
        'event_type_unknown',
        'not_json',
        'not_json',
        'not_json',
      ])
      assert.ok(letters.every(({ origin }) => origin.topic === topics.events))
      const table = await dlq('list')
      assert.match(table, /^letter +time +code +session +from +message\n/)
      assert.ok(table.includes(String.raw`\u{1b}[2J\u{1b}]0;owned\u{07}`), table)

      const narrowed = parse(
        await dlq('list', '--json', '--code', 'not_json', '--session', 's-2', '--since', '1h'),
      )
      assert.equal(narrowed.count, 2)
      const limited = await dlq('list', '--limit', '1')
      assert.match(limited, /\n3 more; `--limit` shows them\n$/)

      const shown = await Promise.all(
        letters.map(({ partition, offset }) => dlq('show', `${partition}:${offset}`)),
      )
      const all = shown.join('')
      for (const text of [table, limited, ...shown]) assert.doesNotMatch(text.replaceAll('\n', ''), /\p{Cc}/u)
      assert.match(all, /^what to do +use a type of the event schema, or upgrade the monitor$/m)
      assert.match(all, /^ {2}plimsoll-code +event_type_unknown$/m)
      assert.match(all, /^ {2}"type": "tool.imagined",$/m)
      assert.match(all, /^no json at all\\u\{1b\}\[2J$/m)
      assert.match(all, /^00000000 {2}ff 00 41 +\.\.A$/m)
      assert.match(all, /^no value$/m)
    }))

  test('says that there is no dead letter', () =>
    onDeployment(async ({ prefix }) => {
      const env = { KAFKA_BROKERS: kafka.brokers.join(','), PLIMSOLL_TOPIC_PREFIX: `${prefix}plimsoll` }
      for (const position of ['0:99', '7:0']) {
        const { code, stderr } = await runCli(['dlq', 'show', position], { env })
        assert.equal(code, 2)
        assert.match(stderr, new RegExp(`no dead letter at \`${position}\` in`))
      }
    }))

  test('redrives events that were too early; a second time changes nothing', () =>
    onDeployment(async ({ publish, publishRaw, until, seen, topics }, dlq) => {
      const script = sessionScript('acme~early')
      const start = script.start()
      const missing = script.propose('read_file', 'call-1')
      const early = script.propose('read_file', 'call-2')
      await publish([start, early])
      await publishRaw('acme~early', 'never an event')
      await until('two dead letters', () => seen.deadLetters.length === 2)
      await publish([missing])
      const answersTo = (id: string) =>
        seen.decisions
          .map(({ value }) => decisionSchema.parse(JSON.parse(String(value))))
          .filter(({ eventId }) => eventId === id)
      await until('what was missing is decided', () => answersTo(missing.id).length === 1)

      const dry = await dlq('redrive', '--code', 'sequence_gap', '--dry-run')
      assert.match(dry, /^1 dead letters match; 1 can be written to `.*` again\n/)
      assert.equal(seen.events.length, 4)
      const redriven = await dlq('redrive', '--code', 'sequence_gap')
      assert.match(redriven, /\n1 written\n/)
      await until('it is decided', () => answersTo(early.id).some(({ kind }) => kind === 'step'))
      const again = seen.events.at(-1)
      assert.equal(again?.key, 'acme~early')
      assert.equal(String(again?.value), JSON.stringify(early))
      assert.equal(again?.headers['plimsoll-tenant'], 'acme')
      assert.match(again?.headers['plimsoll-redriven-from'] ?? '', /^\d:\d$/)

      await dlq('redrive', '--code', 'sequence_gap')
      await until('it is answered as a repeat', () =>
        answersTo(early.id).some(({ kind }) => kind === 'repeat'),
      )
      const steps = answersTo(early.id).filter(({ kind }) => kind === 'step')
      assert.deepEqual(
        steps.map(({ step }) => step),
        [2],
      )
      // A record that never was an event becomes a dead letter again; two letters of the same bytes are then one record.
      await dlq('redrive', '--code', 'not_json')
      await until('it is set aside again', () => seen.deadLetters.length === 3)
      const both = await dlq('redrive', '--code', 'not_json', '--dry-run')
      assert.match(both, /^2 dead letters match; 1 can be written/)
      assert.match(both, /another dead letter is the same record/)
      assert.equal(seen.events.filter(({ topic }) => topic === topics.events).length, 7)
    }))

  test('says which letters were truncated, and does not redrive them', () =>
    onDeployment(async ({ publishRaw, until, seen }, dlq) => {
      await publishRaw('s-1', 'x'.repeat(700_000))
      await until('it is set aside', () => seen.deadLetters.length === 1)
      const reported = await dlq('redrive', '--all')
      assert.match(reported, /^1 dead letters match; 0 can be written/)
      assert.match(reported, /only its beginning was kept: the whole lies where it came from/)
      assert.match(reported, /\n0 written\n$/)
      assert.equal(seen.events.length, 1)
    }))
})
