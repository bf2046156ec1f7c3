import assert from 'node:assert/strict'
import { test } from 'node:test'
import { labelStep } from '../../label-step.js'
import { SHELL } from '../../samples.js'

const loosens = (command: string): boolean =>
  labelStep('bash', { command }, SHELL, undefined).objects.some(({ act }) => act === 'control')

test('files that go to where an agent is set up, under names that the command does not say', () => {
  for (const command of [
    'cp -r kit/.claude .',
    'cp kit/* .claude/',
    'cp -a kit/hooks .claude/',
    'mv kit/.cursor .',
    'rsync -a kit/ .claude/',
    'unzip -o kit.zip -d .claude',
    'tar xf kit.tar -C .claude',
  ])
    assert.ok(loosens(command), command)
})

test('other folders, single files and other hosts are not meant', () => {
  for (const command of [
    'cp -r kit vendor',
    'cp notes.md .claude/',
    'rsync -a .claude/ host:backup/.claude',
    'unzip kit.zip -d vendor',
    'tar xf kit.tar -C build',
  ])
    assert.ok(!loosens(command), command)
})
