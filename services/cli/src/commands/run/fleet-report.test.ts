import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Answer, PlimsollClient } from '@plimsoll/client'
import { type FleetDecision, type Performance, SCENARIOS } from '@plimsoll/fleet'
import { fleetText } from './fleet.js'
import { LATE_MS, createFleetReport } from './fleet-report.js'

const performances = SCENARIOS.map((scenario, i): Performance => ({
  number: i + 1,
  sessionId: `f:${scenario.name}:${i + 1}`,
  agent: 'agent-1',
  scenario,
  seed: i,
}))
const [first, , last] = [performances[0], performances[1], performances.at(-1)]

const client = { stats: () => ({ retried: 2 }) } as PlimsollClient

function decisionOf(
  given: Partial<Answer>,
  times: Partial<Pick<FleetDecision, 'dueAt' | 'proposedAt' | 'answeredAt' | 'answers'>> = {},
): FleetDecision {
  const answer = { verdict: 'allow', mayRun: true, by: 'decision', ...given } as Answer
  const reported = { answer, answers: 'proposal', dueAt: 0, proposedAt: 0, answeredAt: 0, ...times }
  return { ...reported, performance: first } as FleetDecision
}

function filledReport() {
  let now = 1_000
  const report = createFleetReport(() => now)
  assert.ok(first && last)
  report.session(first)
  report.session(last)
  // Due at 0, begun late, answered after: the whole of it is the latency.
  report.decision(decisionOf({}, { proposedAt: 90, answeredAt: 100 }))
  report.decision(decisionOf({ verdict: 'warn' }, { proposedAt: LATE_MS, answeredAt: 40 }))
  report.decision(decisionOf({ verdict: 'confirm', mayRun: false }, { answeredAt: 10 }))
  report.decision(decisionOf({}, { answers: 'review', answeredAt: 9_999 }))
  report.decision(decisionOf({ verdict: 'confirm', mayRun: false }, { answers: 'review' }))
  report.decision(decisionOf({ verdict: 'block', mayRun: false, by: 'fail_closed' }, { answeredAt: 2_000 }))
  report.withoutVerdict({ sessionId: 's', callId: 'c', tool: 't', mode: 'closed', cause: 'timeout' })
  report.full()
  report.ended(first, { outcome: 'completed', isViolated: true, hasLeaked: false })
  report.ended(last, { outcome: 'cancelled', isViolated: false, hasLeaked: false })
  now = 3_000
  return report
}

test('counts sessions, verdicts and how sessions came out, by category and over all', () => {
  const { sessions, steps, verdicts, byCategory, completed, cancelled, violated } =
    filledReport().figures(client)
  assert.deepEqual(
    { sessions, steps, completed, cancelled, violated },
    {
      sessions: 2,
      steps: 4,
      completed: 1,
      cancelled: 1,
      violated: 1,
    },
  )
  assert.deepEqual(verdicts, { allow: 1, warn: 1, confirm: 1, block: 1 })
  assert.deepEqual(Object.keys(byCategory), ['code_debugging', 'data_handling'])
  assert.deepEqual([byCategory.data_handling?.steps, byCategory.data_handling?.violated], [4, 1])
  assert.deepEqual([byCategory.code_debugging?.steps, byCategory.code_debugging?.cancelled], [0, 1])
})

test('latency counts from when a step was due; steps without a decision are counted apart', () => {
  const figures = filledReport().figures(client)
  assert.deepEqual(figures.latencyMs, { p50: 40, p90: 100, p99: 100, max: 100 })
  assert.deepEqual(figures.late, { steps: 1, maxMs: 90 })
  assert.deepEqual(figures.withoutVerdict, { timeout: 1, queue_full: 0, closed: 0 })
  assert.deepEqual(figures.reviews, { run: 1, stopped: 0, open: 1 })
  assert.deepEqual([figures.full, figures.retried], [1, 2])
  assert.deepEqual([figures.seconds, figures.stepsPerSecond], [2, 2])
})

test('names the obstacles, and says that it is synthetic', () => {
  const report = filledReport()
  const text = fleetText(report.figures(client), 5)
  for (const part of [
    /^data_handling +1 +4 +1 +1 +1 +1$/m,
    /^all +1 +0 +1 +1 +0$/m,
    /4 steps in 2 s, 2\/s of the 5 asked for/,
    /1 steps started over 20 ms late, the latest by 90 ms/,
    /1 steps had no decision in time/,
    /synthetic/,
  ])
    assert.match(text, part)
  assert.match(
    report.note(),
    /^2 sessions, 4 steps, 2\/s, p99 100\.0 ms, 1 late, 1 unanswered, 1 times full$/,
  )
  const quiet = fleetText(
    createFleetReport(() => 0).figures({ ...client, stats: () => ({ ...client.stats(), retried: 0 }) }),
    undefined,
  )
  assert.doesNotMatch(quiet, / late|in time|room|again|humans/)
})
