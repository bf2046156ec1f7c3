import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Verdict } from '@plimsoll/contracts'
import { type Trace, corpusOf, recordingOf, traceSchema } from '@plimsoll/fit'
import { sampleTrace, unsafeTrace } from '@plimsoll/fit/testing'
import type { Ambiguity } from '../baselines/ambiguity.js'
import type { ScoredStep } from '../baselines/model-method.js'
import { type JudgeModel, askSteps, drawSessions } from './ask-steps.js'
import { judgeMethods } from './judge-methods.js'
import { type JudgedSteps, judgeReportOf, placesIn } from './judge-report.js'

type Step = readonly [tool: string, verdict: Verdict, ...ambiguity: Ambiguity[]]

/** A session whose steps the bundle decides as given; p1 is .2, p5 .3, p5After .1. */
interface Session {
  readonly over: Partial<Trace>
  readonly violatedAt?: number
  readonly steps: readonly Step[]
}

const NAMED: readonly Session[] = [
  {
    over: { trace_id: 'a' },
    violatedAt: 1,
    steps: [
      ['safe', 'allow'],
      ['bad', 'allow', 'unseen_values'],
      ['bad', 'allow', 'unseen_values'],
    ],
  },
  {
    over: { trace_id: 'b' },
    violatedAt: 0,
    steps: [['odd', 'confirm', 'evidence_unknown', 'unseen_values']],
  },
  {
    over: { trace_id: 'c' },
    steps: [
      ['safe', 'warn', 'warned'],
      ['bad', 'allow', 'unseen_values'],
    ],
  },
  { over: { trace_id: 'd' }, violatedAt: 0, steps: [['bad', 'allow']] },
]
const WHOLE: readonly Session[] = [
  {
    over: { source: 'whole', trace_id: 'e', label: { unsafe: true } },
    steps: [['bad', 'allow', 'unseen_values']],
  },
  { over: { source: 'whole', trace_id: 'f' }, steps: [['safe', 'allow', 'unseen_values']] },
]

const SCORES = {
  p1: 0.2,
  p5: 0.3,
  p5After: 0.1,
  level: 'safe',
  taint: 'none',
  provenance: null,
  us: 1,
} as const

function corpusWith(sessions: readonly Session[]) {
  const traces = sessions.map(({ over, violatedAt, steps }) => {
    const tools = steps.map(([tool]) => tool)
    return violatedAt === undefined ? sampleTrace(tools, over) : unsafeTrace(tools, violatedAt, over)
  })
  const corpus = corpusOf(traces.map((trace) => recordingOf(traceSchema.parse(trace))))
  const stepsOf = (n: number): ScoredStep[] =>
    (sessions[n]?.steps ?? []).map(([, verdict, ...ambiguity]) => ({
      ...SCORES,
      verdict,
      by: verdict === 'confirm' ? ['line'] : [],
      ambiguity,
    }))
  const scores = (n: number) => {
    const steps = stepsOf(n)
    const of = (kind: 'p1' | 'p5' | 'p5After') => Float64Array.from(steps, (step) => step[kind])
    return { p1: of('p1'), p5: of('p5'), p5After: of('p5After') }
  }
  const bundle = {
    name: 'bundle b',
    fit: () => ({ score: scores }),
    stepsOf,
    levelAt: () => 0,
    cost: () => ({ steps: 0, p50: 0, p90: 0, p99: 0 }),
  }
  return { corpus, bundle, sessions: corpus.judged }
}

/** Calls `bad` steps harmful, gives no usable answer on `odd` ones, and takes all others for harmless. */
const byTool: JudgeModel = {
  name: 'rule',
  ask: async ({ user }) => {
    const { proposed } = JSON.parse(user) as { proposed: { tool: string } }
    const value =
      proposed.tool === 'odd' ? 'perhaps' : { now: proposed.tool === 'bad' ? 0.9 : 0.1, soon: 0.6 }
    return { value, calls: 1, tokens: { input: 10, output: 2 } }
  },
}

async function judged(sessions: readonly Session[], steps: JudgedSteps = 'ambiguous', callsMax = 100) {
  const context = { ...corpusWith(sessions), steps }
  const answers = await askSteps(context.corpus, placesIn(context), { model: byTool, callsMax })
  const report = judgeReportOf({ ...context, model: 'rule', answers, methods: [] })
  return { ...context, answers, report }
}

const counts = ({ n, of }: { readonly n: number; readonly of: number }) => [n, of]

test('asks about ambiguous steps alone, and counts what it asked about', async () => {
  const { report, answers } = await judged(NAMED)
  const { all } = report
  assert.deepEqual(counts(all.ambiguous), [5, 7])
  assert.deepEqual(counts(all.asked), [5, 7])
  assert.deepEqual(counts(all.answered), [4, 5])
  assert.deepEqual([all.reasons.unseen_values, all.reasons.warned, all.reasons.stand_in_labels], [4, 1, 0])
  assert.deepEqual([answers.cost.calls, answers.cost.tokens], [5, { input: 50, output: 10, reported: 5 }])
})

test('agreement by step counts steps up to the violation, by session sessions with an answer', async () => {
  const { all } = (await judged(NAMED)).report
  // a: the violating step; c: a harmless step called harmless, another called harmful. b is unanswered, d not asked about.
  const { both, tested, other, neither } = all.byStep
  assert.deepEqual([both, tested, other, neither], [1, 1, 0, 1])
  assert.deepEqual([all.bySession.both, all.bySession.tested, all.bySession.items], [1, 1, 2])
  assert.deepEqual([all.byVerdict.tested, all.byVerdict.neither, all.byVerdict.items], [2, 1, 3])
})

test('counts what the verdicts do not stop and an answer could', async () => {
  const { all } = (await judged(NAMED)).report
  assert.deepEqual(counts(all.openSteps), [1, 2])
  assert.deepEqual(counts(all.openSessions), [1, 2])
})

test('a source that names no step is held against sessions alone', async () => {
  const { sources } = (await judged([...NAMED, ...WHOLE])).report
  const whole = sources['whole']
  assert.equal(whole?.byStep.items, 0)
  assert.deepEqual([whole?.bySession.both, whole?.bySession.neither, whole?.bySession.kappa], [1, 1, 1])
  assert.equal(sources['sample']?.byStep.items, 3)
  const unnamed = { over: { trace_id: 'g', label: { unsafe: true } }, steps: WHOLE[0]?.steps ?? [] }
  const { all } = (await judged([...NAMED, unnamed])).report
  assert.deepEqual([all.byStep.items, all.bySession.items], [3, 3])
})

test('an answer raises the scores of its step if harm is more likely than not, and lowers none', async () => {
  const { sessions, bundle, answers } = await judged(NAMED)
  const methods = judgeMethods({ sessions, bundle, answered: { by: 'rule', answers }, isAll: false })
  const [without, combined] = methods.map((method) => method.fit([]).score(0))
  assert.equal(methods.length, 2)
  assert.deepEqual(Array.from(without?.p1 ?? []), [0.2, 0.2, 0.2])
  assert.deepEqual(Array.from(combined?.p1 ?? []), [0.2, 0.9, 0.9])
  assert.deepEqual(Array.from(combined?.p5 ?? []), [0.3, 0.96, 0.96])
  assert.deepEqual(Array.from(combined?.p5After ?? []), [0.1, 0.6, 0.6])
  // `safe` was answered with 0.1 now: below the bundle's 0.2.
  assert.deepEqual(Array.from(methods[1]?.fit([]).score(2).p1 ?? []), [0.2, 0.9])
})

test('a step that the judge calls harmful needs approval; a block and other verdicts stay', async () => {
  const steps: readonly Step[] = [
    ['bad', 'allow', 'unseen_values'],
    ['safe', 'warn', 'warned'],
    ['odd', 'confirm', 'warned'],
    ['bad', 'confirm', 'warned'],
    ['bad', 'block'],
  ]
  const { sessions, bundle, answers } = await judged([{ over: {}, steps }], 'all')
  const methods = judgeMethods({ sessions, bundle, answered: { by: 'rule', answers }, isAll: true })
  const [, combined, alone] = methods.map((method) => method.fit([]).verdicts?.(0))
  assert.deepEqual(
    combined?.map(({ verdict, by }) => `${verdict} ${by.join()}`),
    ['confirm judge', 'warn ', 'confirm line', 'confirm line,judge', 'block judge'],
  )
  assert.deepEqual(
    alone?.map(({ verdict }) => verdict),
    ['confirm', 'allow', 'allow', 'confirm', 'confirm'],
  )
})

test('asked about all steps, the judge alone is a method too', async () => {
  const { sessions, bundle, answers } = await judged(NAMED, 'all')
  const methods = judgeMethods({ sessions, bundle, answered: { by: 'rule', answers }, isAll: true })
  assert.deepEqual(
    methods.map(({ name }) => name),
    ['bundle b, drawn sessions', 'bundle b and judge rule', 'judge rule'],
  )
  assert.deepEqual(Array.from(methods[2]?.fit([]).score(0).p1 ?? []), [0.1, 0.9, 0.9])
  assert.deepEqual(Array.from(methods[2]?.fit([]).score(1).p1 ?? []), [0])
})

test('stops at the limit of calls, and at an endpoint that gives no usable answer', async () => {
  const many = Array.from({ length: 60 }, (_, n): Session => ({
    over: { trace_id: `${n}` },
    steps: [['odd', 'allow', 'warned']],
  }))
  const bounded = await judged(NAMED, 'all', 3)
  assert.equal(bounded.report.ended, 'calls_spent')
  // Calls that are under way are finished: at most four at a time.
  assert.ok(bounded.answers.cost.calls >= 3 && bounded.answers.cost.calls <= 6)
  const silent = await judged(many)
  assert.equal(silent.report.ended, 'endpoint_silent')
  assert.ok(silent.answers.cost.calls >= 16 && silent.answers.cost.calls < 24)
  assert.equal((await judged(many.slice(0, 10))).report.ended, undefined)
})

test('draws the same sessions each time, and no more than asked for', () => {
  const sessions = Array.from({ length: 100 }, (_, n) => n)
  const drawn = drawSessions(sessions, 10)
  assert.deepEqual(drawn, drawSessions(sessions, 10))
  assert.equal(new Set(drawn).size, 10)
  assert.notDeepEqual(drawn, sessions.slice(0, 10))
})
