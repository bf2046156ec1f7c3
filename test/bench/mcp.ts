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
} from '../e2e/mcp/clients.js'
import { officialServer } from '../e2e/mcp-servers.js'
import { defaultDocuments, readDocument } from '@plimsoll/policy'
import { projectRoot } from '../support/paths.js'
import { microsOf, quantile, type Report } from './report.js'

const CALLS = 200
const WARM_UP = 50
const CATALOGUE = path.join(projectRoot, 'shared/labels/catalogues/mcp-everything.yaml')
const MESSAGE = 'The dues of next year. '.repeat(8)

/**
 * One call of the official server `everything` over standard input and output: straight, and through `plimsoll mcp` in a process of its
 * own, by turns; and what asking and telling take by themselves, in this process.
 */
export async function benchMcp(): Promise<Report> {
  const figures: Record<string, number> = {}
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
  const took = { straight: [] as number[], guarded: [] as number[], verdict: [] as number[] }
  for (let i = 0; i < CALLS + WARM_UP; i++) {
    const message = `${i} ${MESSAGE}`
    const each = {
      straight: await timed(() => straight.call('echo', { message })),
      guarded: await timed(async () => assertRan(await guarded.call('echo', { message }))),
      verdict: await timed(() => askAndTell(session, message)),
    }
    if (i < WARM_UP) continue
    for (const name of ['straight', 'guarded', 'verdict'] as const) took[name].push(each[name])
  }
  const p50 = (values: number[]) => microsOf(quantile(values, 0.5))
  const p99 = (values: number[]) => microsOf(quantile(values, 0.99))
  return {
    [`${era}: calls`]: CALLS,
    [`${era}: straight p50, µs`]: p50(took.straight),
    [`${era}: straight p99, µs`]: p99(took.straight),
    [`${era}: through the proxy p50, µs`]: p50(took.guarded),
    [`${era}: through the proxy p99, µs`]: p99(took.guarded),
    [`${era}: asking and telling p50, µs`]: p50(took.verdict),
    [`${era}: the proxy adds beyond them p50, µs`]:
      p50(took.guarded) - p50(took.straight) - p50(took.verdict),
  }
}

async function timed(action: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await action()
  return performance.now() - start
}

async function askAndTell(session: Session, message: string): Promise<void> {
  const answer = await session.ask({ tool: 'echo', arguments: { message } }, { approvalMs: 0 })
  if (!answer.mayRun) throw new Error('the benchmark is of a call that may run')
  await session.complete(answer, { result: `Echo: ${message}` })
}

function assertRan(answer: CallAnswer): void {
  if (answer.isError === true) throw new Error(textOf(answer))
}
