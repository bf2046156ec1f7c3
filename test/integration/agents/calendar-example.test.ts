import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'
import { readDocument, type Documents } from '@plimsoll/policy'
import { withoutPair } from '../../support/components/components.js'
import { decisionsOf, deploy, settingsOf, type Deployment } from '../../support/sessions/deployment.js'
import { projectRoot } from '../../support/paths.js'

const folder = path.join(projectRoot, 'examples/calendar')

interface Run {
  /** `tool: verdict`, and its reasons. */
  readonly steps: readonly string[]
  readonly sent: readonly { readonly to: readonly string[]; readonly body: string }[]
}

/** Runs the agent, its MCP server and the decider, and reads what it printed and really sent. */
async function runPlan(plan: string, over: Readonly<Record<string, string>> = {}): Promise<Run> {
  const home = await mkdtemp(path.join(tmpdir(), 'plimsoll-calendar-'))
  const outbox = path.join(home, 'outbox.jsonl')
  try {
    const { KAFKA_BROKERS: _, ...env } = process.env
    const { stdout } = await promisify(execFile)(process.execPath, [path.join(folder, 'agent.mjs'), plan], {
      env: { ...env, ...over, CALENDAR_OUTBOX: outbox },
    })
    const sent = await readFile(outbox, 'utf8').catch(() => '')
    return {
      steps: stdout
        .replaceAll(/^(\w+) .*: (\w+)$/gm, '$1: $2')
        .replaceAll(/\n {2}([\w-]+): .*/g, ' $1')
        .trimEnd()
        .split('\n'),
      sent: sent
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Run['sent'][number]),
    }
  } finally {
    await rm(home, { recursive: true })
  }
}

const ALL = ['bob@acme.example', 'carla@partner.example']
const PLANS: Readonly<Record<string, { steps: readonly string[]; sentTo: readonly (readonly string[])[] }>> =
  {
    'well-behaved': {
      steps: ['list_events: allow', 'update_event: warn directed_by_untrusted', 'send_email: allow'],
      sentTo: [ALL],
    },
    leaking: {
      steps: [
        'list_events: allow',
        'list_events: allow',
        'update_event: warn directed_by_untrusted',
        'send_email: block SPEC1a SPEC1b outgoing_after_sensitive',
      ],
      sentTo: [],
    },
    gossiping: {
      steps: [
        'list_events: allow',
        'list_events: allow',
        'update_event: warn directed_by_untrusted',
        'send_email: block SPEC1b directed_by_untrusted',
      ],
      sentTo: [],
    },
    discreet: {
      steps: [
        'list_events: allow',
        'list_events: allow',
        'update_event: warn directed_by_untrusted',
        'send_email: allow',
      ],
      sentTo: [['bob@acme.example']],
    },
    forgetful: {
      steps: [
        'list_events: allow',
        'update_event: warn directed_by_untrusted',
        'list_events: allow',
        'list_events: allow',
        'list_events: block SPEC2',
        'send_email: allow',
        'list_events: allow',
      ],
      sentTo: [ALL],
    },
    silent: { steps: ['list_events: allow', 'update_event: warn directed_by_untrusted'], sentTo: [] },
  }

async function assertPlans(over?: Readonly<Record<string, string>>): Promise<void> {
  for (const [plan, expected] of Object.entries(PLANS)) {
    const { steps, sent } = await runPlan(plan, over)
    assert.deepEqual(steps, expected.steps, plan)
    assert.deepEqual(
      sent.map(({ to }) => to),
      expected.sentTo,
      plan,
    )
    assert.doesNotMatch(JSON.stringify(sent), /cardio|okafor|KX-48213/i, plan)
  }
}

/** Three plans end with a moved event and no mail about it: `leaking`, `gossiping` and `silent`. */
async function assertAlerts(deployment: Deployment): Promise<void> {
  const alerts = () => decisionsOf(deployment).filter(({ kind }) => kind === 'alert')
  await deployment.until('three alerts', () => alerts().length >= 3)
  for (const { reasons, verdict } of alerts())
    assert.deepEqual([verdict, reasons.map(({ code }) => code)], ['warn', ['SPEC2']])
  assert.equal(alerts().length, 3)
}

async function documents(): Promise<Pick<Documents, 'policy' | 'catalogue'>> {
  const [policy, catalogue] = await Promise.all([
    readDocument('policy', path.join(folder, 'policy.yaml')),
    readDocument('catalogue', path.join(folder, 'catalogue.yaml')),
  ])
  return { policy, catalogue }
}

describe('the calendar agent with its MCP server', () => {
  test('decided in its own process', () => assertPlans())

  test('decided by a monitor over Kafka', { skip: withoutPair }, async () => {
    const deployment = await deploy('real', { documents: await documents() })
    try {
      await deployment.startMonitor().started
      await assertPlans({ ...settingsOf(deployment), PLIMSOLL_FINGERPRINT_KEY: 'a key for this test alone' })
      await assertAlerts(deployment)
      const texts = deployment.seen.events.map(({ value }) => String(value)).join()
      assert.match(texts, /carla@partner\.example/, 'whom mail goes to is disclosed')
      assert.doesNotMatch(texts, /cardio|okafor|KX-48213/i, 'what it says is not')
    } finally {
      await deployment.close()
    }
  })
})
