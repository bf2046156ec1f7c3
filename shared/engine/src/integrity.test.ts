import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ACTS as ACT_NAMES, type Signals } from '@plimsoll/contracts'
import { actsAskedIn } from './acts.js'
import { integrityReason, irreversibleReason, type IntegrityStep } from './integrity.js'
import { GROUPS, MATCHES_LENGTH, ORIGINS, type Group, type Matches, type Origin } from './matches.js'
import { ESCALATIONS, REVERSIBILITIES } from './words.js'

type Seen = Partial<Record<Group, Partial<Record<Origin, number>>>>

/** How many fingerprints of each group were seen where. */
function matchesOf(seen: Seen): Matches {
  const matches = Array.from({ length: MATCHES_LENGTH }, () => 0)
  for (const [g, group] of GROUPS.entries())
    for (const [o, origin] of ORIGINS.entries()) matches[g * ORIGINS.length + o] = seen[group]?.[origin] ?? 0
  return matches
}

const labelsOf = (escalation: string, reversibility: string): IntegrityStep['labels'] => ({
  exposure: 0,
  escalation: ESCALATIONS.findIndex((each) => each === escalation),
  reversibility: REVERSIBILITIES.findIndex((each) => each === reversibility),
  untrusted: false,
})
const CHANGE = labelsOf('file_write', 'partial')
const FINAL = labelsOf('file_write', 'irreversible')
const RULES = {
  integrity: { untrusted: 'warn', instructed: 'confirm', irreversible: 'block' },
  irreversible: 'confirm',
} as const

interface Step {
  readonly labels?: IntegrityStep['labels']
  readonly seen?: Seen | 'not told'
  readonly asks?: Signals
  readonly does?: Signals
  readonly rules?: IntegrityStep['rules']
}

const stepOf = ({ labels = CHANGE, seen = {}, asks, does, rules = RULES }: Step): IntegrityStep => ({
  state: { asked: actsAskedIn(asks) },
  labels,
  matches: seen === 'not told' ? undefined : matchesOf(seen),
  signals: does,
  rules,
})
const directed = (step: Step) => {
  const reason = integrityReason(stepOf(step))
  return reason && `${reason.code} ${reason.verdict}`
}
const unasked = (step: Step) => irreversibleReason(stepOf(step))?.verdict

const INSTRUCTED = { instructedOnly: 1, untrustedOnly: 1, total: 1 }
const UNTRUSTED = { untrustedOnly: 1, total: 1 }
const BY_INSTRUCTIONS = 'directed_by_instructions confirm'
const BY_UNTRUSTED = 'directed_by_untrusted warn'

test('a step that changes something is held against what directs it', () => {
  const rows: readonly (readonly [what: string, step: Step, answer: string | undefined])[] = [
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
    ['of what nothing is told', { seen: 'not told' }, undefined],
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

test('a step that cannot be taken back is held against what the task asks for', () => {
  const rows: readonly (readonly [what: string, step: Step, answer: string | undefined])[] = [
    ['nothing is asked', { labels: FINAL, does: { doesDelete: 1 } }, 'confirm'],
    ['just that is', { labels: FINAL, does: { doesDelete: 1 }, asks: { asksDelete: 1 } }, undefined],
    ['another act is', { labels: FINAL, does: { doesDelete: 1 }, asks: { asksSend: 1 } }, 'confirm'],
    [
      'one of two is',
      { labels: FINAL, does: { doesDelete: 1, doesGrant: 1 }, asks: { asksDelete: 1 } },
      'confirm',
    ],
    ['what it does is not told', { labels: FINAL, asks: { asksDelete: 1, asksSend: 1 } }, 'confirm'],
    ['it can be taken back', { does: { doesDelete: 1 } }, undefined],
    ['it reads', { labels: labelsOf('read_only', 'irreversible') }, undefined],
    ['a program of which nothing is known', { labels: FINAL, does: { program: 1 } }, undefined],
    ['a program that deletes', { labels: FINAL, does: { program: 1, doesDelete: 1 } }, 'confirm'],
    ['a policy that does not judge it', { labels: FINAL, rules: {} }, undefined],
  ]
  for (const [what, step, answer] of rows) assert.equal(unasked(step), answer, what)
})

test('of payments and grants everybody who gets something was seen before', () => {
  for (const act of ['Pay', 'Grant']) {
    const asked = { labels: FINAL, asks: { [`asks${act}`]: 1 }, does: { [`does${act}`]: 1 } }
    assert.equal(unasked({ ...asked, seen: { target: { total: 1, task: 1 } } }), undefined)
    assert.equal(unasked({ ...asked, seen: { target: { total: 1, nowhere: 1 } } }), 'confirm')
    assert.equal(unasked({ ...asked, seen: 'not told' }), 'confirm')
  }
  const sent = {
    labels: FINAL,
    asks: { asksSend: 1 },
    does: { doesSend: 1 },
    seen: { target: { total: 1, nowhere: 1 } },
  }
  assert.equal(unasked(sent), undefined)
})

test('every act is read from its signals, and nothing else is', () => {
  const bits = ACT_NAMES.map((act) =>
    actsAskedIn({ [`asks${act.charAt(0).toUpperCase()}${act.slice(1)}`]: 1 }),
  )
  assert.deepEqual(
    bits,
    ACT_NAMES.map((_, i) => 1 << i),
  )
  for (const signals of [undefined, {}, { asksdelete: 1 }, { asksDelete: 0 }, { asks: 1 }, { doesDelete: 1 }])
    assert.equal(actsAskedIn(signals), 0)
})
