import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createGuard, type Answer, type Guard } from '@plimsoll/client'
import { defaultDocuments } from '@plimsoll/policy'

import { ASKED } from './asked.js'
import { OTHER_ACCOUNT } from './other-account.js'
import { QUIET } from './quiet.js'
import { type Case, KNOWN, STRANGE, THIRD, contact, mail, pay } from './steps.js'

/** Tools that the shipped catalogue does not know. */
const OWN_TOOLS = [
  ['update_contact', 'write', 'partial'],
  ['refund_payment', 'network', 'irreversible'],
  ['stripe_refund', 'network', 'irreversible'],
  ['share_calendar', 'network', 'partial'],
] as const

let guard: Guard
before(async () => {
  const shipped = await defaultDocuments()
  const known = OWN_TOOLS.map(([tool, capability, reversibility]) => ({
    tools: [tool],
    labels: { capability, reversibility, confidentiality: 'none', trust: 'trusted' } as const,
  }))
  const catalogue = { ...shipped.catalogue, tools: [...shipped.catalogue.tools, ...known] }
  guard = await createGuard({ documents: { ...shipped, catalogue } })
})
after(() => guard.close())

/** The answer to the last step; those before it are approved where they ask. */
async function answerTo({ task, steps }: Case): Promise<Answer> {
  const session = await guard.startSession({ task })
  let last: Answer | undefined
  for (const [i, step] of steps.entries()) {
    if (typeof step === 'string') {
      await session.instruct(step)
      continue
    }
    const [tool, args, result = 'ok'] = step
    last = await session.propose({ tool, arguments: args })
    if (i === steps.length - 1) break
    const ran =
      last.verdict === 'confirm' ? await guard.approve(last, { by: 'ann', resolution: 'approved' }) : last
    assert.equal(ran.mayRun, true, `${tool} runs or is asked about`)
    await session.complete(ran, { result })
  }
  await session.end()
  assert.ok(last)
  return last
}

const codesOf = ({ decision }: Answer): string[] => (decision?.reasons ?? []).map(({ code }) => code)
const OURS: ReadonlySet<string> = new Set(['account_conflicts', 'given_by_others', 'amount_multiplied'])

for (const each of OTHER_ACCOUNT)
  test(`another account is blocked: ${each.name}`, async () => {
    const answer = await answerTo(each)
    assert.equal(answer.verdict, 'block', codesOf(answer).join())
    assert.ok(codesOf(answer).includes('account_conflicts'), codesOf(answer).join())
  })

for (const { code, ...each } of ASKED)
  test(`asks: ${each.name}`, async () => {
    const answer = await answerTo(each)
    assert.equal(answer.mayRun, false)
    assert.ok(codesOf(answer).includes(code), codesOf(answer).join() || 'no reason')
  })

for (const { runs = true, ...each } of QUIET)
  test(`stays quiet: ${each.name}`, async () => {
    const answer = await answerTo(each)
    assert.deepEqual(
      codesOf(answer).filter((code) => OURS.has(code)),
      [],
    )
    if (runs) assert.equal(answer.mayRun, true, codesOf(answer).join())
  })

test('an approval does not lift a block, a later order does', async () => {
  const session = await guard.startSession({ task: 'Pay the open invoice of Miller GmbH.' })
  for (const [tool, args, result] of [
    contact(`Miller GmbH, IBAN ${KNOWN}`),
    mail(`From: billing@miller-gmbh.example\nto ${STRANGE}`),
  ])
    await session.complete(await session.propose({ tool, arguments: args }), { result })
  const [tool, args] = pay(STRANGE, 1240)
  assert.equal((await session.propose({ tool, arguments: args })).verdict, 'block')
  await session.instruct(`Pay to ${THIRD}.`)
  assert.equal((await session.propose({ tool, arguments: args })).verdict, 'block')
  await session.instruct(`No: ${STRANGE} is right, I have called them.`)
  assert.equal((await session.propose({ tool, arguments: args })).mayRun, true)
})
