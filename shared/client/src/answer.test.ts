import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Decision } from '@plimsoll/contracts'
import { type ProposedStep, createGuard } from './index.js'
import { type Answer, approvalLines, approveWith, effectOf, explain, isWaiting } from './answer.js'

async function asked(step: ProposedStep): Promise<Answer> {
  const guard = await createGuard()
  const session = await guard.startSession()
  const answer = await session.propose(step)
  await guard.close()
  return answer
}

describe('the answer to a step that waits for a human', () => {
  for (const [step, effect] of [
    [{ tool: 'frobnicate' }, /no catalogue labels .*; whether it is destructive is unknown/],
    [
      { tool: 'oc_delete', arguments: { pod: 'x' } },
      /no catalogue .*; by its name or arguments it may delete; it cannot be undone/,
    ],
    [
      { tool: 'oc_apply_and_wait', arguments: { pod: 'x' } },
      /no catalogue .*; by its name it changes something/,
    ],
    [{ tool: 'run_sql', arguments: { query: 'DROP TABLE users' } }, /may delete; it cannot be undone/],
  ] as const)
    test(`\`${step.tool}\`: reason, effect, decision and what to do`, async () => {
      const answer = await asked(step)
      assert.ok(isWaiting(answer))
      const text = explain(answer)
      assert.match(text, new RegExp(`^\`${step.tool}\` waits for approval: `))
      assert.match(text, effect)
      assert.match(text, /not run yet: a human can approve it with `guard.approve`/)
      const { approveWith: _, ...overLog } = answer
      const id = answer.decision?.id ?? ''
      assert.ok(explain(overLog).includes(`plimsoll approve '${id}'`))
      const lines = approvalLines(answer, {
        arguments: step.arguments ?? {},
        hints: { destructiveHint: true },
      })
      assert.equal(lines[0], `The agent wants to call ${step.tool} with:`)
      assert.match(
        lines.join('\n'),
        /\nPlimsoll asks because:\n(?:- .*\n)+Effect: .*; its server says that it is destructive\nDecision: /,
      )
      assert.ok(lines.at(-1)?.endsWith(id))
    })
})

test('an effect is described by labels and acts', () => {
  const approval = { capability: 'write', isLabelled: true } as const
  type Approval = NonNullable<Decision['approval']>
  const effect = (given: Pick<Approval, 'reversibility'> & Partial<Approval>) =>
    effectOf({ tool: 'x', approval: { ...approval, acts: [], scopes: ['once'], ...given } })
  assert.equal(effect({ reversibility: 'partial' }), 'it can be undone in part')
  assert.equal(effect({ reversibility: 'irreversible', isLabelled: false }), 'it cannot be undone')
  assert.equal(
    effect({ reversibility: 'reversible', acts: ['delete', 'pay'] }),
    'by its name or arguments it may delete, pay; it can be undone',
  )
  assert.equal(effectOf({ tool: 'x' }), '')
})

test('how to answer: the command, unless the answer says otherwise', () => {
  const answer = { decision: { id: 's#e#step' } } as unknown as Answer
  assert.equal(approveWith(answer), "plimsoll approve 's#e#step'")
  assert.equal(approveWith({ ...answer, approveWith: 'a button' }), 'a button')
})
