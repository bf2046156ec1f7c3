import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ordersOfTask, shippedOrderModel } from './order-model.js'
import { stopsAsRestarts } from './stops.js'

const orders = (task: string) => ordersOfTask(task, shippedOrderModel())

test('to stop a machine orders no deletion of it', () => {
  for (const task of [
    'stop the vm build-ines tonight',
    'shut down the instance build-ines',
    'pause the rds instance shop-dev',
    'deallocate the virtual machine lab7',
    'stop server web3',
    'stoppe die vm build-ines',
    'fahr die VM build-ines runter',
    'detén la instancia build-ines',
  ]) {
    assert.equal(orders(task).asksDelete, undefined, task)
    assert.equal(orders(task).asksPublish, 1, task)
  }
})

test('other stops and deletions stay what they are', () => {
  for (const task of [
    'stop and delete the vm build-ines',
    'delete the vm build-ines',
    'stop the container web',
    'stop the dev server',
    'Stoppe den Container web',
  ])
    assert.equal(orders(task).asksDelete, 1, task)
  assert.equal(stopsAsRestarts('do not stop the vm'), 'do not restart the vm')
  assert.equal(orders('do not stop the vm').asksPublish, undefined)
  assert.equal(stopsAsRestarts('stop deleting files from the vm'), 'stop deleting files from the vm')
})

test('a hostile task is read in linear time', () => {
  assert.ok(stopsAsRestarts('stop '.repeat(500_000)).length > 0)
  assert.ok(stopsAsRestarts('stop the vm '.repeat(100_000)).length > 0)
})
