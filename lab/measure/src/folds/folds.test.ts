import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Catalogue } from '@plimsoll/contracts'
import type { About } from '@plimsoll/fit'
import { FOLD_KINDS, foldsOf, harmsOf } from './folds.js'

const about = (over: Partial<About>): About => ({
  source: 's',
  traceId: 't',
  suite: 'slack',
  task: '',
  model: 'm',
  category: 'other',
  template: '',
  goal: '',
  attackFold: undefined,
  taskFold: undefined,
  split: 'train',
  ...over,
})

const FIVE = [0, 1, 2, 3, 4]
/** Recordings without folds, of three sources. */
const tasks = ['one', 'two', 'three'].flatMap((source) =>
  Array.from({ length: 40 }, (_, n) => about({ source, suite: `suite ${n % 8}`, task: `task ${n % 20}` })),
)
const attacked = FIVE.flatMap((attackFold) =>
  FIVE.flatMap((taskFold) =>
    ['direct', 'polite'].flatMap((template) =>
      ['m', 'n'].map((model) =>
        about({
          attackFold,
          taskFold,
          template,
          model,
          suite: attackFold < 3 ? 'slack' : 'travel',
          split: attackFold === 4 ? 'test' : 'train',
        }),
      ),
    ),
  ),
)
const unattacked = FIVE.map((taskFold) => about({ taskFold }))
const foldless = [about({ source: 'other' }), about({ source: 'other', split: 'test' })]
const everything = [...attacked, ...unattacked, ...foldless]

const HARMS = new Map([
  ['pay', 'network/irreversible'],
  ['rename', 'network/partial'],
])

test('nothing is both fitted to and scored, and every attacked session is scored', () => {
  for (const kind of FOLD_KINDS) {
    const folds = foldsOf(kind, everything, HARMS)
    for (const { name, tests, trains } of folds)
      for (const one of everything) assert.ok(!(tests(one) && trains(one)), `${kind}: ${name}`)
    const scored = kind === 'test' ? attacked.filter(({ split }) => split === 'test') : attacked
    for (const one of scored)
      assert.ok(
        folds.some(({ tests }) => tests(one)),
        kind,
      )
  }
})

test('what is held out is not seen in training', () => {
  const shared: [Parameters<typeof foldsOf>[0], (one: About) => unknown][] = [
    ['attack', ({ attackFold }) => attackFold],
    ['task', ({ taskFold }) => taskFold],
    ['both', ({ attackFold }) => attackFold],
    ['both', ({ taskFold }) => taskFold],
    ['template', ({ template }) => template],
    ['template+attack', ({ template }) => template],
    ['template+attack', ({ attackFold }) => attackFold],
    ['model', ({ model }) => model],
    ['suite', ({ suite }) => suite],
  ]
  for (const [kind, keyOf] of shared)
    for (const { name, tests, trains } of foldsOf(kind, attacked)) {
      const seen = new Set(attacked.filter(trains).map(keyOf))
      for (const one of attacked.filter(tests)) assert.ok(!seen.has(keyOf(one)), `${kind}: ${name}`)
    }
})

test('by task and by source every recording is scored once, with folds of its own or without', () => {
  const all = [...everything, ...tasks]
  for (const kind of ['task', 'source'] as const) {
    const folds = foldsOf(kind, all)
    for (const one of all) {
      assert.equal(folds.filter(({ tests }) => tests(one)).length, 1, kind)
      assert.equal(folds.filter(({ trains }) => trains(one)).length, folds.length - 1, kind)
    }
  }
  for (const { name, tests } of foldsOf('source', all))
    for (const one of all) assert.equal(tests(one), one.source === name)
  const folds = foldsOf('task', all)
  for (const [k, { tests }] of folds.entries()) {
    assert.deepEqual(
      unattacked.map(tests),
      FIVE.map((fold) => fold === k),
    )
    const tested = new Set(tasks.filter(tests).map(({ suite, task }) => `${suite}/${task}`))
    for (const one of tasks) assert.equal(tests(one), tested.has(`${one.suite}/${one.task}`))
  }
})

test('unattacked sessions go by their task, those without folds by their split', () => {
  for (const [k, { tests }] of foldsOf('attack', everything).entries())
    assert.deepEqual(
      unattacked.map(tests),
      FIVE.map((fold) => fold === k),
    )
  for (const { tests, trains } of foldsOf('attack', everything)) {
    assert.deepEqual(foldless.map(trains), [true, false])
    assert.deepEqual(foldless.map(tests), [false, true])
  }
})

test('recordings without such parts are refused', () => {
  for (const kind of FOLD_KINDS)
    assert.throws(() => foldsOf(kind, [about({})]), {
      code: 'traces_invalid',
      message: new RegExp('no parts'),
    })
})

test('folds by harm: no attack that is fitted to did what is scored', () => {
  const goals = ['pay', 'rename', 'never reached'].flatMap((goal, attackFold) =>
    FIVE.map((taskFold) => about({ goal, attackFold, taskFold, template: 'direct' })),
  )
  const folds = foldsOf('harm', [...goals, ...unattacked], HARMS)
  assert.deepEqual(
    folds.map(({ name }) => name),
    ['network/irreversible', 'network/partial'],
  )
  for (const { name, tests, trains } of folds) {
    const harmsOfTrained = new Set(goals.filter(trains).map(({ goal }) => HARMS.get(goal)))
    assert.ok(!harmsOfTrained.has(name))
    assert.ok(goals.filter(tests).some(({ goal }) => HARMS.get(goal) === name))
  }
  for (const one of [...goals, ...unattacked])
    assert.equal(folds.filter(({ tests }) => tests(one)).length, 1, 'each session is scored once')
})

test('what an attack does is what the violating tool can do, by most of its sessions', () => {
  const catalogue: Catalogue = {
    schema: 1,
    kind: 'plimsoll.catalogue',
    name: 'own',
    tools: [
      { tools: ['pay'], labels: { capability: 'network', reversibility: 'irreversible' } },
      { tools: ['rename'], labels: { capability: 'write', reversibility: 'partial' } },
    ],
  }
  const session = (goal: string, tool: string, violatedAt: number | undefined) =>
    ({
      about: about({ goal }),
      blind: { steps: [{ tool: 'look' }, { tool }] },
      truth: { violatedAt },
    }) as never
  const recordings = [
    session('g', 'pay', 1),
    session('g', 'pay', 1),
    session('g', 'rename', 1),
    session('h', 'rename', 1),
    session('i', 'pay', undefined),
    session('k', 'other', 1),
    session('', 'pay', 1),
  ]
  assert.deepEqual(
    [...harmsOf(recordings, catalogue)],
    [
      ['g', 'network/irreversible'],
      ['h', 'write/partial'],
      ['k', 'unlabelled'],
    ],
  )
})
