import path from 'node:path'
import { root } from '../prepare.mjs'

const { readTraces } = await import(path.join(root, 'lab/fit/dist/index.js'))
const { createGuard } = await import(path.join(root, 'shared/client/dist/index.js'))

const SESSIONS = 20

/**
 * Questions in the longest sessions of a source, by the number of steps and then by id: all, and those that repeat one of the session. A question
 * repeats another if the same reasons ask about the same program.
 *
 * @param {string} file of recorded sessions
 * @param {boolean} isForSession whether a human approves for the session wherever that is offered
 * @returns {Promise<{ asked: number, repeated: number }>}
 */
export async function repeatedQuestions(file, isForSession) {
  const longest = []
  for await (const trace of readTraces([file])) longest.push(trace)
  longest.sort((a, b) => b.steps.length - a.steps.length || (a.trace_id < b.trace_id ? -1 : 1))
  const guard = await createGuard()
  const tally = { asked: 0, repeated: 0 }
  for (const trace of longest.slice(0, SESSIONS)) await playOne(guard, trace, isForSession, tally)
  await guard.close()
  return tally
}

async function playOne(guard, { task, steps }, isForSession, tally) {
  const session = await guard.startSession({ task })
  const before = new Set()
  for (const { tool, args, result } of steps) {
    let answer = await session.propose({ tool, arguments: args ?? {} })
    if (answer.verdict === 'confirm') {
      const question = questionOf(answer, args)
      tally.asked++
      if (before.has(question)) tally.repeated++
      before.add(question)
      const scope = isForSession && answer.decision?.approval?.scopes.includes('session') ? 'session' : 'once'
      answer = await guard.approve(answer, { by: 'ann', resolution: 'approved', scope })
    }
    if (answer.mayRun) await session.complete(answer, { result })
  }
  await session.end()
}

/** The reasons that ask, and the program: the first word of a command. */
function questionOf({ tool, decision }, args) {
  const reasons = (decision?.reasons ?? []).filter(({ verdict }) => verdict === 'confirm')
  const command = typeof args?.command === 'string' ? args.command : JSON.stringify(args)
  const [program = ''] = command.trim().split(/\s+/)
  return [tool, program.slice(0, 60), ...reasons.map(({ source, code }) => `${source}:${code}`).sort()].join(
    ' ',
  )
}
