import assert from 'node:assert/strict'
import { test } from 'node:test'
import { labelStep } from './label-step.js'
import { entryByName } from '../tools/by-name.js'

const actedOn = (tool: string, args: Record<string, unknown>) =>
  labelStep(tool, args, entryByName(tool), undefined).objects.map(
    ({ act, kind, names, ofRecord }) => `${act} ${kind} ${names.join()}${ofRecord ? ' by id' : ''}`,
  )

test('a tool acts on the record whose id it is given, not on what that belongs to', () => {
  assert.deepEqual(actedOn('delete_event', { calendar_id: 'primary', event_id: 'ev_77123' }), [
    'delete record ev_77123 by id',
  ])
  assert.deepEqual(actedOn('mcp__google-calendar__delete-event', { calendarId: 'p', eventId: 'ev_1' }), [
    'delete record ev_1 by id',
  ])
  assert.deepEqual(actedOn('droplet_delete', { ID: 3_344_551 }), ['delete record 3344551 by id'])
  assert.deepEqual(actedOn('refund_order', { order_id: '81723', amount: 40 }), ['pay record 81723 by id'])
})

test('each member of a list is a record, and nothing names those beyond eight', () => {
  assert.deepEqual(actedOn('delete_emails', { ids: ['a11', 'a12'] }), [
    'delete record a11 by id',
    'delete record a12 by id',
  ])
  const many = actedOn('delete_emails', { ids: Array.from({ length: 20 }, (_, i) => `id${i}`) })
  assert.equal(many.length, 8)
  assert.equal(many.at(-1), 'delete record  by id')
})

test('what only reads or has no id acts on no record, and what sends asks another system', () => {
  assert.deepEqual(actedOn('get_event', { event_id: 'ev_77123' }), [])
  assert.deepEqual(actedOn('delete_event', { title: 'Dentist' }), [])
  assert.deepEqual(actedOn('send_email', { to: 'ann@example.com', reply_to_id: 'ev_77123' }), [
    'request record ev_77123 by id',
  ])
  assert.deepEqual(actedOn('write_note', { path: 'a.md', content: 'x' }), [])
})
