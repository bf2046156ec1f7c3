import assert from 'node:assert/strict'
import { test } from 'node:test'
import { labelStep } from './label-step.js'

const doesOf = (script: string): string[] =>
  Object.keys(labelStep('browser_evaluate', { function: script }, undefined, undefined).signals)
    .filter((name) => name.startsWith('does'))
    .toSorted()

test('a script in a page deletes, pays, hands in and takes away what the page keeps', () => {
  for (const [act, script] of [
    ['doesDelete', "() => { const x = new XMLHttpRequest(); x.open('DELETE', '/api/users/3'); x.send() }"],
    ['doesDelete', "() => axios.delete('/api/users/3')"],
    ['doesPay', "() => axios.post('/v1/refunds', { amount: 5 })"],
    ['doesDelete', '() => localStorage.clear()'],
    ['doesDelete', "() => indexedDB.deleteDatabase('app')"],
    ['doesSend', '() => document.forms[0].submit()'],
  ] as const)
    assert.deepEqual(doesOf(script), [act], script)
})

test('a script in a page that looks, asks or keeps its own sets does nothing of the kind', () => {
  for (const script of [
    '() => document.title',
    "() => localStorage.getItem('theme')",
    '() => { const s = new Set([1]); s.clear(); s.delete(1) }',
    "() => { const x = new XMLHttpRequest(); x.open('GET', '/api/users'); x.send() }",
    "() => document.querySelector('form.search').submit()",
    "() => document.querySelectorAll('form').length",
  ])
    assert.deepEqual(doesOf(script), [], script)
})
