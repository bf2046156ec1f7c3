import assert from 'node:assert/strict'
import { test } from 'node:test'
import { labelStep } from '../../label-step.js'
import { SHELL } from '../../samples.js'

const deletes = (command: string): boolean =>
  (labelStep('bash', { command }, SHELL, undefined).signals.doesDelete ?? 0) > 0

test('what a project can make again is no deletion, by relative and absolute paths', () => {
  for (const command of [
    'rm -rf dist .next node_modules',
    'rm -rf /home/ann/app/dist',
    'rm -rf "$PWD/target"',
    'rm -rf /workspace/api/.pytest_cache',
    'rm -f /home/ann/app/tmp_plot.py',
    "find . -name '*.pyc' -delete",
    'find src -type d -name __pycache__ -delete',
  ])
    assert.ok(!deletes(command), command)
})

test('anything else is', () => {
  for (const command of [
    'rm -rf /home/ann/Documents/cache',
    'rm -rf /home/ann/app',
    'rm -rf /home/ann/app/../other/dist',
    'rm -f /home/ann/app/cache.db',
    'rm -rf /srv/app/dist',
    'rm -rf ~/.cache/../notes',
    "find / -name '*.pyc' -delete",
    "find . -name '*.pyc' -o -delete",
    "find . -not -name '*.pyc' -delete",
    'find . -name "*.$x" -delete',
  ])
    assert.ok(deletes(command), command)
})

test('a file of records that is emptied is deleted', () => {
  for (const command of [
    '> data/customers.db',
    ': > customers.csv',
    'echo -n > customers.csv',
    'cat /dev/null > users.sqlite',
    'cp /dev/null customers.db',
    "sed -i '1,$d' customers.csv",
    'mv /tmp/empty data/customers.db',
    'for f in data/*; do : > $f; done',
    'for f in data/*.csv; do cat /dev/null > "${f}"; done',
  ])
    assert.ok(deletes(command), command)
  for (const command of [
    '> build.log',
    'echo a > customers.csv',
    ': >> customers.csv',
    '> /tmp/a.csv',
    'cp data/customers.db.bak data/customers.db',
    'cp seed.sqlite dev.sqlite',
    'for f in logs/*.log; do : > $f; done',
    'for f in tests/*; do > $f.log; done',
    'for f in build/*.txt; do : > "$f"; done',
    'cp fixtures/data test.db',
    'mv build/new.tmp app.db',
    'for f in data/*; do wc -l $f; done',
  ])
    assert.ok(!deletes(command), command)
})
