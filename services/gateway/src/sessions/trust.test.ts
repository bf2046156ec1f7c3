import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AskOptions, type WaitOptions, createGuard } from '@plimsoll/client'
import { AGENT_TIMEOUT_MS_MAX, acceptOptions, restrictToAgent } from './trust.js'

test("bounds an agent's timeout from below and above", async () => {
  const guard = await createGuard()
  const session = await guard.startSession()
  const waited: unknown[] = []
  const note = (options: WaitOptions | AskOptions | undefined) => void waited.push(options?.timeoutMs)
  const propose: typeof session.propose = (step, options) => {
    note(options)
    return session.propose(step, options)
  }
  const ask: typeof session.ask = (step, options) => {
    note(options)
    return session.ask(step, options)
  }
  const agent = restrictToAgent({ ...session, propose, ask }, () => undefined, 2_000)
  for (const timeoutMs of [0, 1, 5_000, 1e9, undefined]) {
    await agent.propose({ tool: 'read_file' }, { timeoutMs })
    await agent.ask({ tool: 'read_file' }, { timeoutMs })
  }
  const each = [2_000, 2_000, 5_000, AGENT_TIMEOUT_MS_MAX, undefined]
  assert.deepEqual(
    waited,
    each.flatMap((ms) => [ms, ms]),
  )
  await guard.close()
})

test("an agent's session has the world of its principal, whatever it sends", () => {
  const world = { network: 'none' } as const
  const agent = { name: 'bot', tenant: 'acme', trust: 'agent' } as const
  assert.equal(acceptOptions(agent, { world: { disposable: true } }).world, undefined)
  assert.deepEqual(acceptOptions({ ...agent, world }, { world: { disposable: true } }).world, world)
  const host = { ...agent, trust: 'host', world } as const
  assert.deepEqual(acceptOptions(host, { world: { disposable: true } }).world, { ...world, disposable: true })
})
