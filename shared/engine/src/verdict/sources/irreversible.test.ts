import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StepEffect } from '../../effects/effects.js'
import { NO_SOURCES, addNamedValues } from '../../provenance/sources.js'
import { fingerprint } from '../../testing.js'
import { irreversibleReason } from './irreversible.js'
import { type DirectedStep, FINAL, labelsOf, stepOf } from './testing.js'

const unasked = (step: DirectedStep) => irreversibleReason(stepOf(step))?.verdict

test('judges an irreversible step by what the task asks for', () => {
  const rows: readonly (readonly [what: string, step: DirectedStep, answer: string | undefined])[] = [
    ['nothing is asked', { labels: FINAL, does: { doesDelete: 1 } }, 'confirm'],
    ['just that is', { labels: FINAL, does: { doesDelete: 1 }, asks: { asksDelete: 1 } }, undefined],
    [
      'just that is, of something else',
      { labels: FINAL, does: { doesDelete: 1, unnamed: 1 }, asks: { asksDelete: 1 } },
      'confirm',
    ],
    ['another act is', { labels: FINAL, does: { doesDelete: 1 }, asks: { asksSend: 1 } }, 'confirm'],
    [
      'one of two is',
      { labels: FINAL, does: { doesDelete: 1, doesGrant: 1 }, asks: { asksDelete: 1 } },
      'confirm',
    ],
    ['its acts are not reported', { labels: FINAL, asks: { asksDelete: 1, asksSend: 1 } }, 'confirm'],
    ['it can be taken back', { does: { doesDelete: 1 } }, undefined],
    ['it reads', { labels: labelsOf('read_only', 'irreversible') }, undefined],
    ['a program without signals', { labels: FINAL, does: { program: 1 } }, undefined],
    ['a program that deletes', { labels: FINAL, does: { program: 1, doesDelete: 1 } }, 'confirm'],
    ['a pipeline that the task names', { labels: FINAL, does: { doesGrant: 1, byName: 1 } }, undefined],
    [
      'a pipeline that it does not name',
      { labels: FINAL, does: { doesGrant: 1, byName: 1, unnamed: 1 } },
      'confirm',
    ],
    [
      'a pipeline, and a deletion',
      { labels: FINAL, does: { doesGrant: 1, doesDelete: 1, byName: 1 } },
      'confirm',
    ],
    ['a policy that does not judge it', { labels: FINAL, rules: {} }, undefined],
  ]
  for (const [what, step, answer] of rows) assert.equal(unasked(step), answer, what)
})

test('a push of a secret that the session wrote is confirmed, whatever else it is', () => {
  const push = { labels: labelsOf('network', 'partial'), does: { pushes: 1 } } as const
  assert.equal(unasked({ ...push, secretWritten: true }), 'confirm')
  assert.equal(unasked(push), undefined)
  assert.equal(unasked({ labels: push.labels, secretWritten: true }), undefined)
})

test('says whether the act or the name of its object is lacking', () => {
  const messageOf = (does: NonNullable<DirectedStep['does']>) =>
    irreversibleReason(stepOf({ labels: FINAL, does, asks: { asksDelete: 1 } }))?.message
  assert.match(messageOf({ doesDelete: 1, unnamed: 1 }) ?? '', /does not name what it is done to$/)
  assert.match(messageOf({}) ?? '', /the task does not ask for it$/)
  assert.match(messageOf({ doesPay: 1, unnamed: 1 }) ?? '', /^pays something/)
})

test('payments and grants are confirmed if a recipient was never seen before', () => {
  for (const act of ['Pay', 'Grant']) {
    const asked = { labels: FINAL, asks: { [`asks${act}`]: 1 }, does: { [`does${act}`]: 1 } }
    assert.equal(unasked({ ...asked, seen: { target: { total: 1, task: 1 } } }), undefined)
    assert.equal(unasked({ ...asked, seen: { target: { total: 1, nowhere: 1 } } }), 'confirm')
    assert.equal(unasked({ ...asked, seen: 'no report' }), 'confirm')
  }
  const sent = {
    labels: FINAL,
    asks: { asksSend: 1 },
    does: { doesSend: 1 },
    seen: { target: { total: 1, nowhere: 1 } },
  }
  assert.equal(unasked(sent), undefined)
})

test('after text of others was read, a task that only looks lets no tool change what it does not name', () => {
  const merge: DirectedStep = {
    labels: labelsOf('network', 'partial'),
    asks: { looksOnly: 1 },
    seen: { tool: { total: 2 } },
    taint: 1,
  }
  const record: DirectedStep = { ...merge, labels: labelsOf('file_write', 'partial') }
  const ofUntrusted = { tool: { total: 2 }, target: { total: 1, untrustedOnly: 1 } }
  const rows: readonly (readonly [what: string, step: DirectedStep, answer: string | undefined])[] = [
    ['another system', merge, 'confirm'],
    ['a record, with an address of that text', { ...record, seen: ofUntrusted }, 'confirm'],
    ['a record, with nothing of it', record, undefined],
    ['a file', { ...record, seen: ofUntrusted, does: { writesFile: 1 } }, undefined],
    ['a program', { ...merge, does: { program: 1 } }, undefined],
    ['a tool that the task names', { ...merge, seen: { tool: { total: 2, task: 1 } } }, undefined],
    ['no text of others', { ...merge, taint: 0 }, undefined],
    ['a task that asks for more', { ...merge, asks: {} }, undefined],
    ['a request that reads', { ...merge, labels: labelsOf('network', 'reversible') }, undefined],
    [
      'a click on a page',
      { ...merge, labels: { ...labelsOf('network', 'partial'), untrusted: true } },
      undefined,
    ],
  ]
  for (const [what, step, answer] of rows) assert.equal(unasked(step), answer, what)
})

test('a task that only looks lets no other system be changed, and what is to go may be overwritten', () => {
  const request: StepEffect = {
    act: 'request',
    object: 'resource',
    reach: undefined,
    relation: 'unknown',
    incomplete: false,
    byName: false,
    fingerprint: '',
  }
  const ofRequest = (step: DirectedStep) =>
    irreversibleReason({ ...stepOf(step), effects: [request] })?.verdict
  assert.equal(ofRequest({ does: { program: 1 }, asks: { looksOnly: 1 } }), 'confirm')
  assert.equal(ofRequest({ does: { program: 1 } }), undefined)
  assert.equal(ofRequest({ does: { program: 1 }, asks: { looksOnly: 1, asksPublish: 1 } }), undefined)
  assert.equal(unasked({ labels: FINAL, does: { doesOverwrite: 1 }, asks: { asksDelete: 1 } }), undefined)
})

test('what the task orders to be sent goes to an address of the task, if it gives any', () => {
  const to = (origin: 'task' | 'nowhere' | 'untrusted', named: readonly string[]) => {
    const step = stepOf({
      labels: FINAL,
      does: { doesSend: 1 },
      asks: { asksSend: 1 },
      seen: { target: { total: 1, [origin]: 1 } },
    })
    const sources = addNamedValues(NO_SOURCES, named)
    return irreversibleReason({ ...step, state: { ...step.state, sources } })?.verdict
  }
  const address = [fingerprint(1, 'a')]
  assert.equal(to('task', address), undefined)
  assert.equal(to('nowhere', address), 'confirm')
  assert.equal(to('untrusted', address), undefined, 'it was read')
  assert.equal(to('nowhere', [fingerprint(1, 'n')]), undefined, 'the task gives no address')
})
