import assert from 'node:assert/strict'
import { test } from 'node:test'
import { integrityReason } from './integrity.js'
import { type DirectedStep, type Seen, FINAL, RULES, labelsOf, stepOf } from './testing.js'

const directed = (step: DirectedStep) => {
  const reason = integrityReason(stepOf(step))
  return reason && `${reason.code} ${reason.verdict}`
}

const INSTRUCTED = { instructedOnly: 1, untrustedOnly: 1, total: 1 }
const UNTRUSTED = { untrustedOnly: 1, total: 1 }
const BY_INSTRUCTIONS = 'directed_by_instructions confirm'
const BY_UNTRUSTED = 'directed_by_untrusted warn'

test('where the user leaves it to a text what is to be done, the text names files and what stands in them, no addresses', () => {
  const follows = (seen: Seen) => directed({ seen, does: { writesFile: 1 }, asks: { delegates: 1 } })
  assert.equal(follows({ reference: INSTRUCTED, name: INSTRUCTED }), 'directed_by_instructions warn')
  assert.equal(follows({ reference: INSTRUCTED, target: INSTRUCTED }), BY_INSTRUCTIONS)
  assert.equal(directed({ seen: { reference: INSTRUCTED }, does: { writesFile: 1 } }), BY_INSTRUCTIONS)
})

test('judges a step that changes something by the origin of its target', () => {
  const rows: readonly (readonly [what: string, step: DirectedStep, answer: string | undefined])[] = [
    ['a target out of instructions', { seen: { target: INSTRUCTED } }, BY_INSTRUCTIONS],
    ['a path or an id out of instructions', { seen: { reference: INSTRUCTED } }, BY_INSTRUCTIONS],
    ['for good', { labels: FINAL, seen: { target: INSTRUCTED } }, 'directed_by_instructions block'],
    ['a name alone', { seen: { name: INSTRUCTED, tool: { total: 2, task: 1, instructed: 1 } } }, undefined],
    [
      'a name, and the tool',
      { seen: { name: INSTRUCTED, tool: { total: 2, instructed: 2, task: 1 } } },
      BY_INSTRUCTIONS,
    ],
    [
      'the tool, which the task does not name',
      { seen: { tool: { total: 2, instructed: 2 } } },
      BY_INSTRUCTIONS,
    ],
    ['the tool in part', { seen: { tool: { total: 2, instructed: 1 } } }, undefined],
    ['a target of an untrusted result', { seen: { target: UNTRUSTED } }, BY_UNTRUSTED],
    [
      'and the task asks for such a step',
      { seen: { target: UNTRUSTED }, asks: { asksPay: 1 }, does: { doesPay: 1 } },
      undefined,
    ],
    [
      'and for another',
      { seen: { target: UNTRUSTED }, asks: { asksPay: 1 }, does: { doesDelete: 1 } },
      BY_UNTRUSTED,
    ],
    ['and the task names the tool', { seen: { target: UNTRUSTED, tool: { total: 1, task: 1 } } }, undefined],
    ['what the task names', { seen: { target: { task: 1, total: 1 } } }, undefined],
    ['a step without a report', { seen: 'no report' }, undefined],
    ['a read', { labels: labelsOf('read_only', 'reversible'), seen: { target: INSTRUCTED } }, undefined],
    [
      'a request that reads, elsewhere',
      { labels: labelsOf('network', 'reversible'), seen: { target: INSTRUCTED } },
      BY_INSTRUCTIONS,
    ],
    [
      'a request that reads, by a path',
      { labels: labelsOf('network', 'reversible'), seen: { reference: INSTRUCTED } },
      undefined,
    ],
    [
      'a local program',
      { labels: labelsOf('code_exec', 'partial'), seen: { target: INSTRUCTED }, does: { program: 1 } },
      undefined,
    ],
    [
      'a program that deletes',
      {
        labels: labelsOf('code_exec', 'partial'),
        seen: { reference: INSTRUCTED },
        does: { program: 1, doesDelete: 1 },
      },
      BY_INSTRUCTIONS,
    ],
    ['a policy that does not judge it', { seen: { target: INSTRUCTED }, rules: {} }, undefined],
    [
      'a policy that lets it',
      { seen: { target: INSTRUCTED }, rules: { integrity: { ...RULES.integrity, instructed: 'allow' } } },
      undefined,
    ],
  ]
  for (const [what, step, answer] of rows) assert.equal(directed(step), answer, what)
})

test('what a text quotes directs no step that writes it to a file of the task', () => {
  const seen: Seen = { reference: { total: 2, task: 1, instructedOnly: 1 }, target: INSTRUCTED }
  const labels = labelsOf('file_write', 'partial')
  const written = { labels, seen, does: { writesFile: 1 } }
  assert.equal(directed(written), BY_UNTRUSTED)
  assert.equal(directed({ ...written, does: { writesFile: 1, code: 1 } }), BY_INSTRUCTIONS)
  assert.equal(directed({ ...written, seen: { ...seen, reference: INSTRUCTED } }), BY_INSTRUCTIONS)
  assert.equal(directed({ ...written, labels: labelsOf('network', 'partial') }), BY_INSTRUCTIONS)
})

test('a request that takes values of results to a host of untrusted text asks', () => {
  const judged = (seen: Seen, labels = labelsOf('network', 'reversible')) => {
    const reason = integrityReason(stepOf({ labels, seen }))
    return reason && [reason.code, reason.verdict]
  }
  const put = { untrustedOnly: 1, nowhere: 1, total: 2 }
  const asks = ['gathered_for_untrusted', 'confirm']
  assert.deepEqual(judged({ target: put, name: { untrustedOnly: 4, total: 4 } }), asks)
  assert.deepEqual(judged({ target: put, name: { untrustedOnly: 2 }, reference: { untrustedOnly: 2 } }), asks)
  assert.deepEqual(judged({ target: { untrustedOnly: 3, nowhere: 1 }, name: { untrustedOnly: 2 } }), asks)
  assert.equal(
    judged({ target: put, name: { untrustedOnly: 3, total: 9 } }),
    undefined,
    'the place of a page',
  )
  assert.equal(
    judged({ target: { untrustedOnly: 1 }, name: { untrustedOnly: 9 } }),
    undefined,
    'a known link',
  )
  assert.equal(judged({ target: { nowhere: 2 }, name: { untrustedOnly: 9 } }), undefined, 'a host of its own')
})
