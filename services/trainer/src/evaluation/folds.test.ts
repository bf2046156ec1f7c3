import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { About } from '../traces/recording.js'
import { FOLD_KINDS, foldsOf } from './folds.js'

const about = (over: Partial<About>): About => ({
  source: 's',
  traceId: 't',
  suite: 'slack',
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

test('nothing is both fitted to and scored, and every attacked session is scored', () => {
  for (const kind of FOLD_KINDS) {
    const folds = foldsOf(kind, everything)
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
