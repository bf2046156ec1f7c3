import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '@plimsoll/chains'
import { type Rules, createGrammar, generateSamples, parseRules, readRules } from './samples.js'

const first = () => 0

test('rules, choices and capitals', () => {
  const rules: Rules = { name: ['ada'], greeting: ['hello {Name}[!|?]'] }
  for (const [text, expected] of [
    ['{greeting}', 'hello Ada!'],
    ['[a|b|] [no choice]', 'a [no choice]'],
    ['{"name": "{name}"}', '{"name": "ada"}'],
    ['[{name}|x]', 'ada'],
  ] as const)
    assert.equal(createGrammar(rules, first)(text), expected)
})

test('a missing rule and a circular rule are refused', () => {
  const write = createGrammar({ a: ['{b}'], b: ['{a}'] }, first)
  assert.throws(() => write('{a}'), /goes round in a circle/)
  assert.throws(() => write('{c}'), /no rule is named `c`/)
})

test('the file of a grammar', () => {
  const rules = parseRules('; a comment\n\n@one\nx\\ny\n~\n@two\n{one}\n  indented\n')
  assert.deepEqual(rules, { one: ['x\ny', ''], two: ['{one}', '  indented'] })
})

test('every rule can be written, none is there for nothing', () => {
  const rules = readRules()
  const write = createGrammar(rules, seededRandom(1))
  const used = new Set(['injection', 'foreignPlain', 'goalDone'])
  for (const [name, alternatives] of Object.entries(rules)) {
    assert.ok(alternatives.length > 0, name)
    for (const alternative of alternatives) {
      write(alternative)
      for (const [, other = ''] of alternative.matchAll(/\{([A-Za-z]+)\}/g)) {
        used.add(other)
        used.add(other.charAt(0).toLowerCase() + other.slice(1))
      }
    }
  }
  // What the kinds of documents begin with.
  const starts = new Set([
    'mailBody',
    'about',
    'news',
    'listing',
    'todo',
    'recipe',
    'manual',
    'notice',
    'code',
    'support',
    'shortList',
    'subject',
    'aiNews',
  ])
  assert.deepEqual(
    Object.keys(rules).filter((name) => !used.has(name) && !starts.has(name)),
    [],
  )
})

test('the same seed gives the same samples; passages are where they say', () => {
  const samples = [...generateSamples(300, 5)]
  assert.deepEqual([...generateSamples(300, 5)], samples)
  assert.notDeepEqual([...generateSamples(300, 6)], samples)
  for (const { text, instructed, passages = [] } of samples) {
    assert.ok(!/[\uE000\uE001]/.test(text))
    assert.equal(passages.length, instructed ? 1 : 0)
    for (const [start, end] of passages) assert.ok(start >= 0 && end > start && end <= text.length, text)
  }
  const instructed = samples.filter((sample) => sample.instructed).length
  assert.ok(instructed > 90 && instructed < 150, String(instructed))
})
