import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type CategoryModel,
  findCategory,
  fitting,
  parseCategoryModel,
  readCategory,
  shippedCategoryModel,
} from '@plimsoll/labels'
import { type CategorySample, fitCategoryModel } from './categories.js'

const { categoryWords } = fitting
/** As much of a task as the reader looks at, in code units. */
const TASK_UNITS_MAX = 8_192

const WORKS = {
  kitchen: [
    'Peel {n} potatoes and boil them in the large pot',
    'Chop the onions, then fry {n} of them in butter',
  ],
  garden: ['Water the {n} roses behind the shed', 'Dig {n} holes and plant the apple trees'],
  other: ['Tune the piano in room {n}', 'Paint {n} of the doors green'],
} as const

const THINGS = ['quickly', 'slowly', 'today', 'again', 'with care', 'before noon', 'after lunch', 'alone']

/** Made-up tasks of three kinds of work. For tests. */
const sampleTasks = (): CategorySample[] =>
  Object.entries(WORKS).flatMap(([category, tasks]) =>
    tasks.flatMap((task) =>
      Array.from({ length: 24 }, (_, n) => ({
        task: `${task.replace('{n}', String(n))} ${THINGS[n % THINGS.length]}.`,
        category,
        origin: 'made up',
      })),
    ),
  )

const options = { categories: ['kitchen', 'garden'], seed: 7 }
const model = fitCategoryModel(sampleTasks(), options)
const hashes = (text: string) => categoryWords(text).map(({ hash }) => hash)

test('words count once, whatever their case, number and ending', () => {
  assert.equal(hashes('Onion onions ONIONS').length, 1)
  assert.deepEqual(hashes('planted 12 plants!'), hashes('plant'))
  assert.deepEqual(hashes('a 1 2 3 .,; --- ’“'), [])
  assert.notDeepEqual(hashes('garden'), hashes('kitchen'))
  // What must be left of a word stays: `bus`, `red` and `ring` are no endings.
  assert.equal(hashes('bus bu red r ring').length, 4)
})

test('a kind of work that is known is found, in words that were not together before', () => {
  assert.equal(
    findCategory('Boil the potatoes, chop onions and fry them in butter', model)?.category,
    'kitchen',
  )
  assert.equal(findCategory('plant roses behind the apple trees', model)?.category, 'garden')
})

test('what is like no kind is of none: other work, other languages, nothing, signs', () => {
  for (const task of [
    'Tune the piano in room 4',
    'Reconcile the ledger of the subsidiary against the invoices',
    'Schäle die Kartoffeln und brate sie in der großen Pfanne',
    '把土豆削皮，然后在大锅里煮熟',
    'Почисти картошку и свари её в большой кастрюле',
    '',
    '   \n\t',
    '0123456789 !!! 🥔🥔🥔 \u0000\uD800',
    'potatoes',
  ])
    assert.equal(findCategory(task, model), undefined, task)
})

test('a task as like one category as another is of none', () => {
  const [garden, kitchen] = model.kinds
  assert.ok(garden && kitchen)
  const same = { ...model, kinds: [garden, { ...garden, category: kitchen.category }] }
  assert.ok(findCategory('plant roses behind the apple trees', model))
  assert.equal(findCategory('plant roses behind the apple trees', same), undefined)
})

test('a huge text is read in its first 8,192 units alone', () => {
  const task = `Boil the potatoes and fry the onions in butter. ${' '.repeat(TASK_UNITS_MAX)}`
  const huge = task + 'water the roses '.repeat(4_000_000)
  assert.deepEqual(readCategory(huge, model), readCategory(task, model))
  for (const hostile of ['a'.repeat(5_000_000), 'ab '.repeat(2_000_000), '\uD83D'.repeat(5_000_000)])
    assert.deepEqual(readCategory(hostile, model), readCategory(hostile.slice(0, TASK_UNITS_MAX), model))
})

test('what is said of a task names its own words, the most telling first', () => {
  const { found, nearest, words, known, distinctive: telling } = readCategory('Fry the Onions on Mars', model)
  assert.equal(nearest?.category, 'kitchen')
  assert.ok(words === 5 && known < words)
  assert.ok(telling.some(({ word, odds }) => word === 'Onions' && odds > 0))
  assert.ok(telling.every(({ odds }, n) => Math.abs(odds) <= Math.abs(telling[n - 1]?.odds ?? Infinity)))
  assert.ok(found === undefined || found.confidence >= model.threshold)
})

test('the same tasks give the same model, whatever their order', () => {
  assert.deepEqual(fitCategoryModel(sampleTasks(), options), model)
})

test('a model holds hashes and weights alone: no word of a task can be read in it', () => {
  const text = JSON.stringify(model)
  for (const word of ['potato', 'onion', 'roses', 'shed', 'butter']) assert.ok(!text.includes(word), word)
})

test('a category that is not requested separates from the others and is never found', () => {
  assert.deepEqual([...new Set(model.kinds.map(({ category }) => category))], ['garden', 'kitchen'])
  const none = fitCategoryModel(sampleTasks(), { ...options, categories: [] })
  assert.equal(findCategory('Boil the potatoes', none), undefined)
  assert.equal(findCategory('Boil the potatoes', fitCategoryModel([], options)), undefined)
})

test('a model is read from JSON; anything else is refused', () => {
  assert.deepEqual(parseCategoryModel(JSON.parse(JSON.stringify(model))), model)
  const [kind] = model.kinds
  const wrong: unknown[] = [
    null,
    {},
    { ...model, format: 1 },
    { ...model, words: 'AAA' },
    { ...model, threshold: 1 },
    { ...model, kinds: [{ ...kind, weights: 'AAAA' }] },
    { ...model, kinds: [{ ...kind, bias: Number.NaN }] },
    { ...model, kinds: [{ ...kind, category: '' }] },
    { ...model, kinds: Array.from({ length: 65 }, () => kind) },
  ]
  for (const content of wrong) assert.throws(() => parseCategoryModel(content), { code: 'document_invalid' })
})

test('the model that ships knows the categories that bundles have, and abstains from what is new', () => {
  const shipped: CategoryModel = shippedCategoryModel()
  assert.deepEqual([...new Set(shipped.kinds.map(({ category }) => category))].sort(), [
    'code_debugging',
    'data_handling',
    'research_comms',
    'sysadmin',
  ])
  assert.equal(
    findCategory('Write a python function to find the largest sum of a list of given numbers.', shipped)
      ?.category,
    'code_debugging',
  )
  for (const task of ['Set the autopilot to the north buoy', 'Translate this poem into Latin', ''])
    assert.equal(findCategory(task, shipped), undefined, task)
})
