import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Session } from '@plimsoll/client'
import { type GatewayDeployment, withGateway } from '../../support/gateway-world.js'

const TASK = 'Delete the folder logs/old, restart the staging server and delete the channel raid'
/** The first deletes what the task names, the third what the session has made. */
const COMMANDS = [
  'rm -rf logs/old',
  'mkdir work_a && touch work_a/x',
  'rm -rf work_a',
  'rm -rf ~/Documents/thesis',
  'git push --force origin main',
] as const

const CHANNELS = [
  { id: '1099200955', name: 'raid' },
  { id: '1099200956', name: 'general' },
]
/** The task names the first channel, not its id. */
const STEPS = [
  ...COMMANDS.map((command) => ({ tool: 'Bash', arguments: { command }, result: '' })),
  { tool: 'list_channels', arguments: {}, result: JSON.stringify(CHANNELS) },
  ...CHANNELS.map(({ id }) => ({ tool: 'delete_channel', arguments: { channel_id: id }, result: 'deleted' })),
]
type Step = Pick<(typeof STEPS)[number], 'tool' | 'result'> & { readonly arguments: object }

type Answered = readonly [verdict: string, reasons: readonly (readonly [code: string, effect: unknown])[]]

async function run(session: Session, { tool, arguments: given, result }: Step): Promise<Answered> {
  const answer = await session.propose({ tool, arguments: { ...given } })
  if (answer.mayRun) await session.complete(answer, { result })
  const reasons = answer.decision?.reasons ?? []
  return [answer.verdict, reasons.map(({ code, effect }) => [code, effect && { ...effect, fingerprint: '' }])]
}

/** Each step is run by the session that `next` gives for it. */
async function play(next: (at: number) => Promise<Session>): Promise<readonly Answered[]> {
  const answers: Answered[] = []
  for (const [at, step] of STEPS.entries()) answers.push(await run(await next(at), step))
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
      ['allow', 'allow', 'allow', 'confirm', 'confirm', 'allow', 'confirm', 'confirm'],
    )
    assert.deepEqual(
      expected.slice(-2).map(([, reasons]) => reasons.some(([code]) => code === 'irreversible_not_asked')),
      [false, true],
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
      const [verdict] = await run(session, {
        tool: 'Bash',
        arguments: { command: 'rm -rf /opt/data' },
        result: '',
      })
      return verdict
    }
    assert.deepEqual([await verdictFor('desk'), await verdictFor('bot')], ['allow', 'confirm'])
  }))
