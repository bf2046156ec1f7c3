import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EffectAct, ObjectKind, Reach } from '@plimsoll/contracts'
import { EFFECT_ACTS, OBJECT_KINDS, REACHES } from '../labels/words.js'
import type { StepEffect } from './effects.js'
import { type KnownEffects, matchEffects } from './match.js'

const ALL = 0xffff
const bits = <T>(words: readonly T[], named: readonly T[] | undefined): number =>
  named ? named.reduce((sum, word) => sum | (1 << words.indexOf(word)), 0) : ALL

interface Asked {
  readonly act?: EffectAct[]
  readonly object?: ObjectKind[]
  readonly reach?: Reach[]
}

const FINAL = { reversibility: 2 }
const match = (asked: Asked, known: KnownEffects | undefined, labels = FINAL, isOfAll = false) =>
  matchEffects(
    {
      acts: bits(EFFECT_ACTS, asked.act),
      objects: bits(OBJECT_KINDS, asked.object),
      reaches: bits(REACHES, asked.reach),
      isOfAll,
    },
    known,
    labels,
  )
const effect = (members: Partial<StepEffect>): StepEffect => ({
  act: 'delete',
  object: 'path',
  reach: 'shared',
  relation: 'unknown',
  incomplete: false,
  byName: false,
  fingerprint: '',
  ...members,
})
const deletes = (...effects: StepEffect[]): KnownEffects => ({ effects, signals: { doesDelete: 1 } })

test('act, object and reach are asked of one effect', () => {
  const two = deletes(effect({ reach: 'project' }), effect({ object: 'table' }))
  assert.equal(match({ act: ['delete'], reach: ['shared'] }, two), true)
  assert.equal(match({ object: ['path'], reach: ['shared'] }, two), false)
  assert.equal(match({ act: ['send', 'delete'], object: ['table'] }, two), true)
  assert.equal(match({ reach: ['own'] }, deletes(effect({ reach: 'own' }))), true)
})

test('what is not known of an effect is not known to match', () => {
  assert.equal(match({ object: ['path'] }, deletes(effect({ object: undefined }))), undefined)
  assert.equal(match({ act: ['pay'], object: ['path'] }, deletes(effect({ object: undefined }))), false)
  assert.equal(match({ act: ['delete'] }, deletes(effect({ object: undefined }))), true)
  assert.equal(match({ act: ['pay'] }, deletes(effect({ incomplete: true }))), undefined)
})

test('an act without an object counts by itself', () => {
  const bare = { effects: undefined, signals: { doesDelete: 1 } }
  assert.equal(match({ act: ['delete', 'stop'] }, bare), true)
  assert.equal(match({ act: ['delete'] }, bare), undefined)
  assert.equal(match({ act: ['pay'] }, bare), false)
  assert.equal(
    match({ act: ['delete'], object: ['path'] }, { effects: [], signals: { doesDelete: 1 } }),
    undefined,
  )
  assert.equal(match({ act: ['change'] }, { effects: [], signals: { doesCredential: 1 } }), true)
  const own = deletes(effect({ reach: 'own' }))
  assert.equal(match({ reach: ['shared'] }, { ...own, signals: { doesDelete: 1, own: 1 } }), false)
})

test('a step that nobody reports or understood may do anything', () => {
  for (const known of [undefined, { effects: undefined, signals: undefined }])
    assert.equal(match({ act: ['delete'] }, known), undefined)
  assert.equal(match({ act: ['delete'] }, { effects: [], signals: { unreadable: 1 } }), undefined)
  assert.equal(match({ act: ['delete'] }, { effects: [], signals: {} }), undefined)
  assert.equal(match({ act: ['delete'] }, { effects: [], signals: {} }, { reversibility: 1 }), false)
})

test('what lifts covers every effect of the step', () => {
  const covers = (asked: Asked, known: KnownEffects) => match(asked, known, FINAL, true) === true
  const own = effect({ reach: 'own' })
  assert.equal(covers({ act: ['delete'], reach: ['own'] }, deletes(own, own)), true)
  assert.equal(covers({ act: ['delete', 'stop'] }, { effects: undefined, signals: { doesDelete: 1 } }), true)
  for (const other of [effect({}), effect({ act: 'send', reach: 'own' }), effect({ reach: undefined })])
    assert.equal(covers({ act: ['delete'], reach: ['own'] }, deletes(own, other)), false)
  assert.equal(covers({ reach: ['own'] }, deletes({ ...own, incomplete: true })), false)
  assert.equal(covers({ act: ['delete'] }, { effects: [own], signals: { doesDelete: 1, doesPay: 1 } }), false)
  assert.equal(
    covers({ act: ['delete'] }, { effects: [own], signals: { doesDelete: 1, unreadable: 1 } }),
    false,
  )
  assert.equal(covers({ act: ['delete'] }, { effects: [], signals: {} }), false)
})
