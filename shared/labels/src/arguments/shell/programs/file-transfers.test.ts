import assert from 'node:assert/strict'
import { test } from 'node:test'
import { labelStep } from '../../label-step.js'
import { SHELL } from '../../samples.js'

const objectsOf = (command: string) =>
  labelStep('bash', { command }, SHELL, undefined).objects.map(({ act, reach, thing }) => [act, reach, thing])

test('commands of clients of file transfer that delete', () => {
  assert.deepEqual(objectsOf('sftp ann@files.example.org <<EOF\ncd in\nrm a.csv\n-rmdir old\nEOF'), [
    ['delete', 'live', 'files.example.org:a.csv'],
    ['delete', 'live', 'files.example.org:old'],
  ])
  assert.deepEqual(objectsOf('lftp -e "rm -r old; bye" files.example.org').length, 1)
  assert.deepEqual(objectsOf('sftp files.example.org <<EOF\nls\nget form.pdf\nEOF'), [])
})
