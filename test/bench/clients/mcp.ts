import path from 'node:path'
import { createGuard, type Guard, type Session } from '@plimsoll/client'
import {
  connectStdio,
  ERAS,
  plimsoll,
  textOf,
  type CallAnswer,
  type Era,
  type McpClient,
} from '../../e2e/mcp/clients.js'
import { officialServer } from '../../e2e/documents/mcp-servers.js'
import { defaultDocuments, readDocument } from '@plimsoll/policy'
import { projectRoot } from '../../support/paths.js'
import { ownTimer, processTimer, type Timer } from '../processor-time.js'
import { microsOf, quantile, type Report } from '../report.js'

const WARM_UP = 500
const ROUNDS = 20
const CALLS = 100
const CATALOGUE = path.join(projectRoot, 'shared/labels/catalogues/mcp-everything.yaml')
const MESSAGE = 'The dues of next year. '.repeat(8)

const PARTS = ['straight', 'guarded', 'verdict'] as const
/** Of each part, milliseconds. */
type Parts = Readonly<Record<(typeof PARTS)[number], number>>

/**
 * One call of the official server `everything` over standard input and output: straight, and through `plimsoll mcp` in a process of its
 * own, and what asking and telling take by themselves, in this process: by turns, call by call, in many short rounds. A machine is seldom quiet for
 * long, and wall time is of the machine as much as of the proxy: so the medians are those of the one round that took least in all,
 * for every part the same. Processor time is of all rounds.
 */
export async function benchMcp(): Promise<Report> {
  const figures: Record<string, number> = { 'rounds of each era': ROUNDS, 'calls of each round': CALLS }
  for (const era of ERAS) Object.assign(figures, await measure(era))
  return { name: 'mcp', figures }
}

async function measure(era: Era): Promise<Report['figures']> {
  const server = officialServer('everything')
  // The server is of 2025, whatever its proxy speaks.
  const straight = await connectStdio('2025-11-25', server)
  const guarded = await connectStdio(era, plimsoll('mcp', '--catalogue', CATALOGUE, '--', ...server))
  const catalogue = await readDocument('catalogue', CATALOGUE)
  const guard = await createGuard({ documents: { ...(await defaultDocuments()), catalogue } })
  try {
    return await figuresOf(era, straight, guarded, guard)
  } finally {
    await Promise.all([straight.close(), guarded.close(), guard.close()])
  }
}

async function figuresOf(era: Era, straight: McpClient, guarded: McpClient, guard: Guard) {
  const session = await guard.startSession()
  const callAll = (message: string) => ({
    straight: () => straight.call('echo', { message }),
    guarded: async () => assertRan(await guarded.call('echo', { message })),
    verdict: () => askAndReport(session, message),
  })
  const timers = { straight: processTimer(straight.pid), guarded: processTimer(guarded.pid) }
  const verdict = ownTimer()
  await round(callAll, WARM_UP, verdict)
  const before = { straight: timers.straight(), guarded: timers.guarded(), verdict: verdict.total() }
  const rounds: Parts[] = []
  for (let i = 0; i < ROUNDS; i++) rounds.push(await round(callAll, CALLS, verdict))
  const calls = ROUNDS * CALLS
  const ranFor = {
    straight: (timers.straight() - before.straight) / calls,
    guarded: (timers.guarded() - before.guarded) / calls,
    verdict: (verdict.total() - before.verdict) / calls,
  }
  const quiet = rounds.reduce((least, each) => (sumOf(each) < sumOf(least) ? each : least))
  const middle = rounds.map(added).toSorted((a, b) => a - b)
  return {
    [`${era}: straight p50, µs`]: microsOf(quiet.straight),
    [`${era}: through the proxy p50, µs`]: microsOf(quiet.guarded),
    [`${era}: asking and telling p50, µs`]: microsOf(quiet.verdict),
    [`${era}: the proxy adds beyond them p50, µs`]: microsOf(added(quiet)),
    [`${era}: the same, in the middle of the rounds, µs`]: microsOf(quantile(middle, 0.5)),
    [`${era}: processor time of the server alone a call, µs`]: microsOf(ranFor.straight),
    [`${era}: processor time of the proxy a call, µs`]: microsOf(ranFor.guarded),
    [`${era}: of asking and telling, µs`]: microsOf(ranFor.verdict),
  }
}

type Calls = (message: string) => Readonly<Record<keyof Parts, () => Promise<unknown>>>

/** The median of each part over `count` calls. */
async function round(callsOf: Calls, count: number, verdict: Timer): Promise<Parts> {
  const took = { straight: [] as number[], guarded: [] as number[], verdict: [] as number[] }
  for (let i = 0; i < count; i++) {
    const calls = callsOf(`${i} ${MESSAGE}`)
    took.straight.push(await timed(calls.straight))
    took.guarded.push(await timed(calls.guarded))
    took.verdict.push(await timed(() => verdict.during(calls.verdict)))
  }
  const p50 = (values: number[]) => quantile(values, 0.5)
  return { straight: p50(took.straight), guarded: p50(took.guarded), verdict: p50(took.verdict) }
}

const sumOf = (parts: Parts): number => PARTS.reduce((sum, part) => sum + parts[part], 0)
const added = ({ straight, guarded, verdict }: Parts): number => guarded - straight - verdict

async function timed(action: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await action()
  return performance.now() - start
}

async function askAndReport(session: Session, message: string): Promise<void> {
  const answer = await session.ask({ tool: 'echo', arguments: { message } }, { approvalMs: 0 })
  if (!answer.mayRun) throw new Error('the benchmark is of a call that may run')
  await session.complete(answer, { result: `Echo: ${message}` })
}

function assertRan(answer: CallAnswer): void {
  if (answer.isError === true) throw new Error(textOf(answer))
}
