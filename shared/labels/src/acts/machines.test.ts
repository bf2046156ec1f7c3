import assert from 'node:assert/strict'
import { test } from 'node:test'
import { actsAsked } from './asked.js'

test('a machine that is paid by the hour is ordered by its type, or as a new one', () => {
  for (const task of [
    'start one c7g.2xlarge in us-east-1',
    'spin up a VM for the load test',
    'launch an n2-standard-8 named bench',
    'I need another droplet in ams3',
    'please provision two instances behind the balancer',
  ])
    assert.equal(actsAsked(task).asksPay, 1, task)
  for (const task of [
    'start the server',
    'why is c7g.2xlarge so slow?',
    'create an instance of the Logger class',
    'restart the VM build4',
    'do not start a VM',
  ])
    assert.equal(actsAsked(task).asksPay, undefined, task)
})

test('to make public has many words', () => {
  for (const task of [
    'flip acme/cli to public',
    'switch the repo to public now',
    'open source acme/cli',
    'go public with acme/cli and make it public',
  ])
    assert.equal(actsAsked(task).asksGrant, 1, task)
  for (const task of ['move the images to the public folder', 'change the text of the public page'])
    assert.equal(actsAsked(task).asksGrant, undefined, task)
})
