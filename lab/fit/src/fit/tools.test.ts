import assert from 'node:assert/strict'
import { readFileSync, statSync } from 'node:fs'
import { test } from 'node:test'
import { SHIPPED_TOOL_MODEL, labelTool, shippedToolModel } from '@plimsoll/labels'
import { fitToolModel, parseToolSamples } from './tools.js'

const samples = parseToolSamples(readFileSync(new URL('../../data/tools.tsv', import.meta.url), 'utf8'))
const BYTES_MAX = 100_000

test('the model that ships is that of the lines, and small', () => {
  assert.deepEqual(
    fitToolModel(samples),
    shippedToolModel(),
    'fit it again: `node scripts/fit-shipped.mjs tools`',
  )
  assert.ok(statSync(SHIPPED_TOOL_MODEL).size < BYTES_MAX)
})

test('of lines that are held out, more of what cannot be taken back is found than by the rules, and hardly more else', () => {
  const isHeldOut = (i: number) => i % 5 === 0
  const model = fitToolModel(samples.filter((_, i) => !isHeldOut(i)))
  const heldOut = samples.filter((_, i) => isHeldOut(i))
  const share = (of: string, by?: typeof model) => {
    const among = heldOut.filter(({ reversibility }) => reversibility === of)
    const found = among.filter(
      ({ tool }) => labelTool(tool, undefined, { model: by }).labels.reversibility === 'irreversible',
    )
    return found.length / among.length
  }
  assert.ok(share('irreversible', model) > share('irreversible') + 0.05)
  assert.ok(share('reversible', model) < share('reversible') + 0.02)
})

test('a line that is none is refused by its number', () => {
  const line = 'partial\tset_mode\tSets the mode.\tmode=on|off,room'
  assert.deepEqual(parseToolSamples(`${line}\n`), [
    {
      reversibility: 'partial',
      tool: {
        name: 'set_mode',
        description: 'Sets the mode.',
        inputSchema: { type: 'object', properties: { mode: { enum: ['on', 'off'] }, room: {} } },
      },
    },
  ])
  for (const text of [line.replace('partial', 'maybe'), line.replace('\tmode', ''), `${line}\tx`])
    assert.throws(() => parseToolSamples(`${line}\n${text}`), /^Error: line 2: /)
})
