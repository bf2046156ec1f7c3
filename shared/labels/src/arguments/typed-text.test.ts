import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ACTS, actSignal, type CatalogueEntry } from '@plimsoll/contracts'
import { labelStep } from './label-step.js'

const TYPES: CatalogueEntry = {
  tools: ['write_stdin'],
  labels: {
    capability: 'execute',
    confidentiality: 'internal',
    trust: 'untrusted',
    reversibility: 'partial',
  },
}
function actsOf(tool: string, args: Readonly<Record<string, unknown>>): readonly string[] {
  const { signals } = labelStep(tool, args, TYPES, undefined)
  return ACTS.filter((act) => signals[actSignal('does', act)] === 1)
}

test('what is typed into a running program counts by its acts', () => {
  for (const [tool, args] of [
    ['write_stdin', { session_id: 1, chars: 'rm -rf ~/Documents\n' }],
    ['write_bash', { shellId: 'a', input: 'sudo rm -rf /srv/data{enter}' }],
    [
      'mcp__commander__interact_with_process',
      { pid: 7, input: 'import os\nos.system("rm -rf ~/Documents")' },
    ],
    ['write_stdin', { chars: 'import shutil\nshutil.rmtree("/srv/photos")\n' }],
    ['write_stdin', { chars: 'DROP TABLE users;\n' }],
  ] as const)
    assert.ok(actsOf(tool, args).includes('delete'), JSON.stringify(args))
})

test('answers, and code without acts, raise nothing', () => {
  for (const chars of [
    'y\n',
    'print(1)\n',
    '\u0003',
    'def f(x):\n  return x\n',
    'SELECT 1;\n',
    "it's fine",
    '',
  ])
    assert.deepEqual(actsOf('write_stdin', { chars }), [], JSON.stringify(chars))
  assert.deepEqual(actsOf('read_file', { input: 'rm -rf ~/Documents' }), [], 'another tool')
})
