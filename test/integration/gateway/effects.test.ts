import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Session } from '@plimsoll/client'
import { type GatewayDeployment, withGateway } from '../../support/gateway-world.js'

const TASK = 'Delete the folder logs/old and restart the staging server'
/** The first deletes what the task names, the third what the session has made. */
const COMMANDS = [
  'rm -rf logs/old',
  'mkdir work_a && touch work_a/x',
  'rm -rf work_a',
  'rm -rf ~/Documents/thesis',
  'git push --force origin main',
] as const

type Answered = readonly [verdict: string, reasons: readonly (readonly [code: string, effect: unknown])[]]

async function run(session: Session, command: string): Promise<Answered> {
  const answer = await session.propose({ tool: 'Bash', arguments: { command } })
  if (answer.mayRun) await session.complete(answer, { result: '' })
  const reasons = answer.decision?.reasons ?? []
  return [answer.verdict, reasons.map(({ code, effect }) => [code, effect && { ...effect, fingerprint: '' }])]
}

/** Each command is run by the session that `next` gives for it. */
async function play(next: (at: number) => Promise<Session>): Promise<readonly Answered[]> {
  const answers: Answered[] = []
  for (const [at, command] of COMMANDS.entries()) answers.push(await run(await next(at), command))
  return answers
}

const onGateways = (body: (deployment: GatewayDeployment) => Promise<void>) =>
  withGateway('embedded', async (deployment) => {
    await deployment.startMonitor().started
    await body(deployment)
  })

test('a session through one gateway, and through a new one for each step, gets the same decisions', () =>
  onGateways(async ({ connect, startGateway }) => {
    const client = await connect('desk')
    const whole = await client.startSession({ id: 'whole', task: TASK })
    const expected = await play(async () => whole)
    assert.deepEqual(
      expected.map(([verdict]) => verdict),
      ['allow', 'allow', 'allow', 'confirm', 'confirm'],
    )
    const begun = await client.startSession({ id: 'split', task: TASK })
    const split = await play(async (at) => {
      if (at === 0) return begun
      const { url } = await startGateway()
      return (await connect('desk', { url })).resumeSession({ id: 'split' })
    })
    assert.deepEqual(split, expected)
  }))

test('a running gateway believes what a host declares of the machine, and drops what an agent does', () =>
  onGateways(async ({ connect }) => {
    const verdictFor = async (name: 'desk' | 'bot') => {
      const session = await (await connect(name)).startSession({ task: TASK, world: { disposable: true } })
      const [verdict] = await run(session, 'rm -rf /opt/data')
      return verdict
    }
    assert.deepEqual([await verdictFor('desk'), await verdictFor('bot')], ['allow', 'confirm'])
  }))
