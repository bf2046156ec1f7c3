import assert from 'node:assert/strict'
import { test } from 'node:test'
import { labelTool } from './label-tool.js'

const operationsOf = (name: string, properties: object) =>
  labelTool({ name, description: '', inputSchema: { type: 'object', properties } }).operations

const text = (...values: string[]) => ({ type: 'string', enum: values })

test('an operation that only adds is milder than a deletion, though none looks', () => {
  const found = operationsOf('change_records', { operation: text('insert', 'update', 'delete'), rows: {} })
  assert.equal(found?.least.reversibility, 'partial')
  assert.deepEqual(
    found?.choices.map(({ value, labels }) => [value, labels.reversibility]),
    [
      ['insert', 'partial'],
      ['update', 'partial'],
      ['delete', 'irreversible'],
    ],
  )
})

test('a deletion with choices that do not explain it has no milder ones', () => {
  assert.equal(operationsOf('delete_records', { mode: text('update', 'insert') }), undefined)
})

test('a tool that is given a method reads it', () => {
  const found = operationsOf('send_http_request', { method: text('GET', 'DELETE'), url: { type: 'string' } })
  assert.equal(found?.least.capability, 'read')
  assert.deepEqual(found?.arguments, [
    { in: 'method', as: 'http_method' },
    { in: 'url', as: 'url' },
  ])
  assert.deepEqual(
    operationsOf('send_api_request', { method: {}, path: {} })?.arguments?.map((each) => each.as),
    ['http_method'],
  )
})

test('what keeps others out is milder, where the tool may let them in', () => {
  assert.deepEqual(operationsOf('set_bucket_acl', { acl: text('private', 'public-read') })?.choices, [
    { argument: 'acl', value: 'private', labels: { capability: 'write', reversibility: 'reversible' } },
  ])
  const flag = { private: { type: 'boolean' } }
  assert.equal(operationsOf('create_repository', flag)?.choices.length, 1)
  assert.equal(operationsOf('send_report', flag), undefined)
  // Whom it is shared with would not be read.
  assert.equal(operationsOf('share_file', { ...flag, email: { type: 'string' } }), undefined)
})
