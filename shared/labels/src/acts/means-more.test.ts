import assert from 'node:assert/strict'
import { test } from 'node:test'
import { meansMore } from './means-more.js'

test('a task with a word for everything, for others or for an exception may mean more than it names', () => {
  for (const task of [
    'Delete all channels but general',
    'Archive every ticket of Acme',
    'Remove the raid channel and keep the rest',
    'Lösche alle Termine außer Zahnarzt',
    'Supprime tous les salons sauf général',
    'Elimina todos los canales excepto general',
    'удали все каналы, кроме general',
    '删除所有频道',
    'raid '.repeat(2000),
  ])
    assert.deepEqual(meansMore(task), { meansMore: 1 }, task.slice(0, 60))
  for (const task of ['Delete the raid channel', 'Cancel my ballet class', 'Lösche den Termin beim Zahnarzt'])
    assert.deepEqual(meansMore(task), {}, task)
})
