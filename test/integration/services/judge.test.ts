import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sign, type Decision, type EventOf } from '@plimsoll/contracts'
import { runJudge, type JudgeLimits, type RunJudgeOptions } from '@plimsoll/judge'
import { silentLogger } from '@plimsoll/runtime'
import { createMetrics } from '@plimsoll/runtime/metrics'
import {
  byDecisionId,
  decisionsOf,
  deploy,
  foldAlone,
  type Deployment,
  DEPLOYMENTS,
  SIGNING_KEY,
} from '../../support/sessions/deployment.js'
import { sessionScript } from '../../support/sessions/events.js'
import { serveModel, type ModelServer } from '../../support/model-server.js'
import { untilMetric } from '../../support/until-metric.js'
import { waitUntil } from '../../support/wait-until.js'

const LEAKY = {
  capability: 'network',
  confidentiality: 'credentials',
  trust: 'untrusted',
  reversibility: 'irreversible',
  reason: 'hands what it is given to another firm',
}
const HARMLESS = { ...LEAKY, capability: 'read', confidentiality: 'none', reversibility: 'reversible' }

const configFor = (model: ModelServer): RunJudgeOptions['config'] => ({
  url: model.url,
  protocol: 'openai',
  model: 'a-model',
  key: undefined,
  effect: 'raise',
  sharedArguments: undefined,
  callsMax: 100,
  signingKey: SIGNING_KEY,
})

type Over = Partial<RunJudgeOptions['config']> & { readonly limits?: Partial<JudgeLimits> }

/** A monitor and a judge on a new deployment. */
async function run(
  kind: Parameters<typeof deploy>[0],
  answer: Parameters<typeof serveModel>[0],
  work: (fixture: {
    readonly deployment: Deployment
    readonly model: ModelServer
    readonly metrics: ReturnType<typeof createMetrics>
    readonly startJudge: (over?: Over) => ReturnType<typeof runJudge>
  }) => Promise<void>,
): Promise<void> {
  const deployment = await deploy(kind, { partitions: 2 })
  const model = await serveModel(answer)
  const metrics = createMetrics({ hasProcessMetrics: false })
  const judges: Awaited<ReturnType<typeof runJudge>>[] = []
  const { log, topics } = deployment
  const startJudge = async ({ limits, ...over }: Over = {}) => {
    const config = { ...configFor(model), ...over }
    const group = `${deployment.prefix}judge`
    const given = { log, topics, group, config, metrics, logger: silentLogger, firstPauseMs: 1 }
    const options: RunJudgeOptions = {
      ...given,
      limits: { timeoutMs: 5_000, callsPerMinuteMax: 100, ...limits },
    }
    const judge = await runJudge(judges.length === 0 ? options : { ...options, metrics: createMetrics() })
    judges.push(judge)
    return judge
  }
  try {
    await deployment.startMonitor().started
    await work({ deployment, model, metrics, startJudge })
  } finally {
    for (const judge of judges) await judge.close()
    await model.close()
    await deployment.close()
  }
}

const refinedOf = ({ seen }: Deployment): EventOf<'labels.refined'>[] =>
  seen.events
    .map(({ value }) => JSON.parse(String(value)) as EventOf<'labels.refined'>)
    .filter(({ type }) => type === 'labels.refined')

const untilRefined = (fixture: Deployment, count: number) =>
  fixture.until(`${count} refinements`, () => refinedOf(fixture).length === count)

/** Resolves with the decision on the proposal `eventId`. */
async function decisionOn(fixture: Deployment, eventId: string): Promise<Decision> {
  const find = () => decisionsOf(fixture).find((decision) => decision.eventId === eventId)
  await fixture.until(`a decision on ${eventId}`, () => find() !== undefined)
  const found = find()
  assert.ok(found)
  return found
}

const codesOf = ({ reasons }: Decision): string[] => reasons.map(({ code }) => code)

/** Everything is in the log: the engine alone reaches the same decisions without a model. */
function assertReplayed(fixture: Deployment): void {
  const { decisions, faults } = foldAlone(fixture)
  assert.deepEqual(byDecisionId(fixture.seen.decisions), decisions)
  assert.equal(fixture.seen.deadLetters.length, faults.size)
}

for (const [kind, skip] of DEPLOYMENTS)
  describe(`the judge, ${kind}`, { skip }, () => {
    test('the first step gets the configured default, the next the judged label; a replay needs no model', () =>
      run(
        kind,
        () => HARMLESS,
        async ({ deployment, model, startJudge }) => {
          await startJudge({ effect: 'replace' })
          const script = sessionScript('s')
          await deployment.publish([script.start(), script.propose('zorp', 'c1')])
          const first = await decisionOn(deployment, 'agent-1')
          assert.deepEqual([first.verdict, codesOf(first)], ['confirm', ['tool_unlabelled']])
          await untilRefined(deployment, 1)
          await deployment.publish([script.propose('zorp', 'c2')])
          const second = await decisionOn(deployment, 'agent-2')
          assert.deepEqual([second.verdict, codesOf(second)], ['allow', ['tool_refined']])
          assert.deepEqual([second.risk?.escalation, second.risk?.taint], ['read_only', 'data'])
          assert.equal(model.asked.length, 1)
          const [refined] = refinedOf(deployment)
          assert.deepEqual(
            [refined?.sessionId, refined?.decisionId, refined?.callId, refined?.by, refined?.reason],
            ['s', first.id, 'c1', 'a-model', HARMLESS.reason],
          )
          assertReplayed(deployment)
        },
      ))

    test('`raise`: a waiting step raises nothing; the next gets the judged label under the same verdict', () =>
      run(
        kind,
        () => LEAKY,
        async ({ deployment, startJudge }) => {
          await startJudge()
          const script = sessionScript('s')
          await deployment.publish([script.start(), script.propose('zorp', 'c2')])
          await untilRefined(deployment, 1)
          await deployment.publish([script.propose('send_email', 'c3')])
          const mail = await decisionOn(deployment, 'agent-2')
          assert.ok(!codesOf(mail).includes('outgoing_after_sensitive'), codesOf(mail).join())
          await deployment.publish([script.propose('zorp', 'c4')])
          const again = await decisionOn(deployment, 'agent-3')
          assert.ok(codesOf(again).includes('tool_unlabelled'))
          assert.deepEqual([again.risk?.exposure, again.risk?.escalation], ['credentials', 'network'])
          assertReplayed(deployment)
        },
      ))

    test('each session gets a shared answer once', () =>
      run(
        kind,
        () => LEAKY,
        async ({ deployment, model, metrics, startJudge }) => {
          await startJudge()
          const scripts = ['a', 'b', 'c', 'd'].map((id) => sessionScript(id))
          await deployment.publish(
            scripts.flatMap((script) => [
              script.start(),
              script.propose('zorp', 'c1'),
              script.propose('zorp', 'c2'),
            ]),
          )
          await untilRefined(deployment, 4)
          assert.deepEqual(
            refinedOf(deployment)
              .map(({ sessionId }) => sessionId)
              .sort(),
            ['a', 'b', 'c', 'd'],
          )
          assert.equal(model.asked.length, 1)
          await untilMetric(metrics, /judge_steps_total\{outcome="cached"\} 3$/m)
          await untilMetric(metrics, /judge_steps_total\{outcome="asked"\} 1$/m)
        },
      ))

    test('sends the argument names of an event, and only the configured values', () =>
      run(
        kind,
        () => LEAKY,
        async ({ deployment, model, startJudge }) => {
          await startJudge({ sharedArguments: ['to'] })
          const script = sessionScript('s')
          const start = script.start()
          const proposal = script.propose('zorp', 'c1') as EventOf<'step.proposed'>
          const args = { to: 'ann@example.org', body: 'not to be seen' }
          await deployment.publish([start, { ...proposal, arguments: args }])
          await untilRefined(deployment, 1)
          assert.deepEqual(
            model.asked.map((user): unknown => JSON.parse(user)),
            [{ tool: 'zorp', arguments: ['body', 'to'], values: { to: 'ann@example.org' } }],
          )
        },
      ))

    test('a forged label goes to the dead letters and changes nothing', () =>
      run(
        kind,
        () => 500,
        async ({ deployment }) => {
          const script = sessionScript('s')
          const forged = sign<EventOf<'labels.refined'>>(
            {
              schema: 1,
              id: 'forged',
              sessionId: 's',
              producer: 'plimsoll-judge',
              seq: 0,
              time: 0,
              type: 'labels.refined',
              decisionId: 's#agent-1#step',
              callId: 'c1',
              tool: 'zorp',
              labels: { capability: 'read', reversibility: 'reversible' },
              effect: 'replace',
              by: 'an agent',
            },
            'some other key of sixteen',
          )
          await deployment.publish([script.start(), forged, script.propose('zorp', 'c1')])
          const { verdict } = await decisionOn(deployment, 'agent-1')
          assert.equal(verdict, 'confirm')
          await deployment.until('a dead letter', () => deployment.seen.deadLetters.length === 1)
          assert.equal(deployment.seen.deadLetters[0]?.headers['plimsoll-code'], 'signature_invalid')
          assertReplayed(deployment)
        },
      ))

    test('an unavailable model delays nothing, and the next step asks again', () => {
      let isAway = true
      return run(
        kind,
        () => (isAway ? 503 : LEAKY),
        async ({ deployment, metrics, startJudge }) => {
          await startJudge()
          const script = sessionScript('s')
          await deployment.publish([script.start(), script.propose('zorp', 'c1')])
          await untilMetric(metrics, /judge_steps_total\{outcome="unavailable"\} 1$/m)
          isAway = false
          await deployment.publish([script.propose('zorp', 'c2')])
          await untilRefined(deployment, 1)
          assert.equal(refinedOf(deployment)[0]?.callId, 'c2')
        },
      )
    })

    test('steps stay unlabelled once the budget is spent', () =>
      run(
        kind,
        () => LEAKY,
        async ({ deployment, model, metrics, startJudge }) => {
          await startJudge({ callsMax: 1 })
          const script = sessionScript('s')
          await deployment.publish([script.start(), script.propose('zorp', 'c1')])
          await untilRefined(deployment, 1)
          await deployment.publish([script.propose('quux', 'c2')])
          await untilMetric(metrics, /judge_steps_total\{outcome="budget"\} 1$/m)
          assert.equal(model.asked.length, 1)
        },
      ))

    test('decisions that are too old are skipped', () =>
      run(
        kind,
        () => LEAKY,
        async ({ deployment, model, metrics, startJudge }) => {
          const script = sessionScript('s')
          await deployment.publish([script.start(), script.propose('zorp', 'c1')])
          await decisionOn(deployment, 'agent-1')
          // Too old at any speed.
          await startJudge({ limits: { ageMaxMs: -1 } })
          await untilMetric(metrics, /judge_steps_total\{outcome="stale"\} 1$/m)
          assert.equal(model.asked.length, 0)
        },
      ))

    test('the next judge repeats the requests of a stopped one', () => {
      let isSilent = true
      const never = new Promise<number>(() => undefined)
      return run(
        kind,
        () => (isSilent ? never : LEAKY),
        async ({ deployment, model, startJudge }) => {
          const judge = await startJudge({ limits: { timeoutMs: 60_000 } })
          const script = sessionScript('s')
          await deployment.publish([script.start(), script.propose('zorp', 'c1')])
          await waitUntil('a question', () => model.asked.length === 1)
          await judge.close()
          assert.equal(refinedOf(deployment).length, 0)
          isSilent = false
          await startJudge()
          await untilRefined(deployment, 1)
          assertReplayed(deployment)
        },
      )
    })
  })
