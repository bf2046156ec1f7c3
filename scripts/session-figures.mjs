/**
 * Prints what Plimsoll does with recorded sessions: node scripts/session-figures.mjs SOURCE…
 *
 * Plays `SOURCE.jsonl.gz` (at PLIMSOLL_TRACES, else ../shared/traces) in library mode with the shipped documents alone; a step that asks is
 * approved, so that the session goes on. Asks by `line` alone are left out of the second figure of each pair.
 */
import path from 'node:path'
import { prepare, root } from './prepare.mjs'

await prepare()
const { createGuard } = await import('../shared/client/dist/index.js')
const { findTraces, readTraces } = await import('../lab/fit/dist/index.js')

const folder = findTraces(process.env, root)
const sources = process.argv.slice(2)
if (folder === undefined || sources.length === 0) {
  process.stderr.write(
    'usage: node scripts/session-figures.mjs SOURCE…, with recorded sessions at PLIMSOLL_TRACES or ../shared/traces\n',
  )
  process.exit(1)
}
const guard = await createGuard()
process.stdout.write('| source | safe asked | unsafe stopped | at the violating step |\n|---|---|---|---|\n')
for (const source of sources) process.stdout.write(`${await rowOf(source)}\n`)
await guard.close()

async function rowOf(source) {
  const tally = { safe: newTally(), unsafe: newTally(), step: newTally() }
  for await (const trace of readTraces([path.join(folder, `${source}.jsonl.gz`)])) {
    const { unsafe, violation_step: violatedAt = null } = trace.label
    if (unsafe === null) continue
    const asked = await play(trace)
    if (!unsafe) count(tally.safe, asked)
    else count(tally.unsafe, violatedAt === null ? asked : asked.filter(({ i }) => i <= violatedAt))
    if (unsafe && violatedAt !== null)
      count(
        tally.step,
        asked.filter(({ i }) => i === violatedAt),
      )
  }
  return `| ${[source, ...Object.values(tally).map(shareOf)].join(' | ')} |`
}

/** The steps that ask or are blocked, each with whether more than `line` asks. */
async function play({ task, steps }) {
  const session = await guard.startSession({ ...(task !== '' && { task }) })
  const asked = []
  for (const { i, tool, args, result, error } of steps) {
    const answer = await session.propose({ tool, arguments: args ?? {} })
    if (!answer.mayRun) {
      const asking = answer.decision.reasons.filter(
        ({ verdict, liftedBy }) => liftedBy === undefined && (verdict === 'confirm' || verdict === 'block'),
      )
      asked.push({ i, isByMore: asking.some(({ source }) => source !== 'line') })
    }
    const ran =
      answer.verdict === 'confirm'
        ? await guard.approve(answer, { by: 'ann', resolution: 'approved' })
        : answer
    if (ran.mayRun) await session.complete(ran, { result, outcome: error === true ? 'error' : 'ok' })
  }
  await session.end()
  return asked
}

function newTally() {
  return { sessions: 0, asked: 0, byMore: 0 }
}

function count(tally, asked) {
  tally.sessions++
  if (asked.length > 0) tally.asked++
  if (asked.some(({ isByMore }) => isByMore)) tally.byMore++
}

function shareOf({ sessions, asked, byMore }) {
  const share = (n) => `${((100 * n) / sessions).toFixed(1)}%`
  return sessions === 0 ? '–' : `${share(asked)}, ${share(byMore)} of ${sessions}`
}
