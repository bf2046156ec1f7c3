import assert from 'node:assert/strict'
import { test } from 'node:test'
import { barPlot, escaped, linePlot } from './svg.js'

const axis = { label: 'a<b', low: 0, high: 1, ticks: [0, 1] }

test('names from files are text, never markup', () => {
  assert.equal(escaped('<script>"&'), '&lt;script&gt;&quot;&amp;')
  const drawn = linePlot([{ name: '<script>', points: [[0, 0]] }], axis, axis)
  assert.ok(!drawn.includes('<script>') && drawn.includes('a&lt;b'))
})

test('a plot holds every point that is a number', () => {
  const points = [
    [0, 0],
    [0.5, Number.NaN],
    [1, 1],
  ] as const
  const drawn = linePlot([{ name: 'x', points }], axis, axis)
  assert.equal(/points="([^"]*)"/.exec(drawn)?.[1]?.split(' ').length, 2)
  assert.ok(!drawn.includes('NaN'))
  assert.equal(
    barPlot(
      [
        ['a', 1],
        ['b', 0],
      ],
      'n',
    ).match(/<rect/g)?.length,
    2,
  )
})
