import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sampleTrace } from '../testing.js'
import { type BlindStep, blindOf, createRecentSteps, readToolLists } from './blind.js'
import { rememberedViews } from './play.js'

const stepOf = (text: string): BlindStep => ({ tool: 'look', args: { text }, result: text, error: false })
const traceOf = (...texts: string[]) => ({ task: 'a task', category: 'other', steps: texts.map(stepOf) })

test('equal steps are one object as long as they are recent, and come back as they were', () => {
  const recent = createRecentSteps({ steps: 8, chars: 10_000 })
  const first = recent(traceOf('a', 'b'))
  assert.deepEqual(first, traceOf('a', 'b'))
  assert.equal(recent(traceOf('a')).steps[0], first.steps[0])
  recent(traceOf('c', 'd', 'e'))
  assert.equal(recent(traceOf('a')).steps[0], first.steps[0], 'looked up lately, so still there')
  recent(traceOf('f', 'g', 'h', 'i', 'j', 'k', 'l', 'm'))
  assert.notEqual(recent(traceOf('a')).steps[0], first.steps[0])
})

test('long texts push others out as many do', () => {
  const recent = createRecentSteps({ steps: 1_000, chars: 1_000 })
  const first = recent(traceOf('a'))
  recent(traceOf('x'.repeat(300), 'y'.repeat(300), 'z'.repeat(300)))
  assert.notEqual(recent(traceOf('a')).steps[0], first.steps[0])
})

test('a session has the tools beside its recording, none where they are unknown', async (t) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'plimsoll-tools-'))
  t.after(() => rm(folder, { recursive: true }))
  const tools = [{ name: 'look', description: 'Looks' }, { name: 'send' }]
  await writeFile(path.join(folder, 'tools.json'), JSON.stringify({ desk: tools }))
  const lists = await readToolLists([path.join(folder, 'a.jsonl.gz')])
  const blind = blindOf(sampleTrace(['look', 'send'], { tools_ref: 'desk' }), lists)
  assert.deepEqual(blind.tools, ['look', 'send'])
  assert.deepEqual(
    blind.steps.map(({ description }) => description),
    ['Looks', undefined],
  )
  assert.equal(blindOf(sampleTrace(['look'], { tools_ref: 'other' }), lists).tools, undefined)
  assert.deepEqual(createRecentSteps()(blind), blind)
})

test('the views of a step are remembered for each list of tools', () => {
  const made: unknown[] = []
  const views = rememberedViews({
    started: (_task, tools) => (made.push(tools), {}),
    proposed: () => ({}),
    completed: (_step, tools) => (made.push(tools), {}),
  })
  const step = stepOf('a')
  const lists = [['look'], ['send'], undefined]
  for (let n = 0; n < 2; n++)
    for (const tools of lists) {
      views.started('a task', tools)
      views.completed(step, tools)
    }
  assert.deepEqual(
    made,
    lists.flatMap((tools) => [tools, tools]),
  )
})
