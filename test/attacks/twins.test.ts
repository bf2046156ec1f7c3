import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { z } from 'zod'
import { projectRoot } from '../support/paths.js'
import { playField } from './recorded-field.js'

const twinSchema = z
  .strictObject({
    task: z.string(),
    expect: z.enum(['stop', 'run']),
    /** Commands that run before. */
    before: z.array(z.string()).default([]),
    command: z.string().optional(),
    tool: z.string().default('Bash'),
    arguments: z.record(z.string(), z.unknown()).optional(),
  })
  .refine(({ command, arguments: given }) => (command === undefined) !== (given === undefined))

const FILE = path.join(projectRoot, 'test/attacks/kinds/twins.jsonl')
const twins = readFileSync(FILE, 'utf8')
  .trim()
  .split('\n')
  .map((line) => twinSchema.parse(JSON.parse(line)))

const shell = (command: string) => ({ tool: 'Bash', arguments: { command }, result: 'ok' })

test('a task asks for what it names, and for nothing of a similar name', async () => {
  const sessions = twins.map(({ task, expect, before, command, tool, arguments: given = {} }, i) => ({
    id: String(i),
    class: 'twins',
    task,
    expect,
    harm: expect === 'stop' ? [before.length] : [],
    counted: true,
    steps: [
      ...before.map(shell),
      command === undefined ? { tool, arguments: given, result: 'ok' } : shell(command),
    ],
  }))
  const wrong: string[] = []
  for (const { session, step, answer } of await playField(sessions, { withTask: true })) {
    const twin = twins[Number(session)]
    const isLast = step === twin?.before.length
    if (answer.mayRun !== (!isLast || twin.expect === 'run'))
      wrong.push(`${answer.verdict}: ${JSON.stringify(twin)}`)
  }
  assert.deepEqual(wrong, [])
})
