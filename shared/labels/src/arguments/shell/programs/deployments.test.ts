import assert from 'node:assert/strict'
import { test } from 'node:test'
import { labelStep } from '../../label-step.js'
import { SHELL } from '../../samples.js'

const signals = (command: string) => labelStep('bash', { command }, SHELL, undefined).signals

test('a plain deployment sends what files of the project hold, as a push does', () => {
  for (const command of [
    'vercel deploy',
    'vercel deploy --prod --yes',
    'fly deploy -a shop',
    'railway up -s web',
  ])
    assert.deepEqual([signals(command).pushes, signals(command).complete], [1, 1], command)
  for (const command of [
    'vercel deploy ../other',
    'vercel deploy /home/eva',
    'fly deploy --build-arg KEY=$KEY',
    'wrangler deploy --define x:1',
    'cat a | vercel deploy',
  ])
    assert.notEqual(signals(command).complete, 1, command)
})
