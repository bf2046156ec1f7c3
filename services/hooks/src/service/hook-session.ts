import {
  type Answer,
  type ProposedStep,
  type Session,
  approvalLines,
  causeOf,
  explain,
  isWaiting,
} from '@plimsoll/client'
import type { HookAnswer, StepCompleted, StepProposed } from '../event.js'
import type { HookDoor } from './door.js'
import { isKeptInGit } from './kept-in-git.js'

/** How long a step waits for calls that must be over first, milliseconds: a client waits for its hook. */
const PREREQUISITES_MS = 2_000
/** Calls whose end is awaited, in one session: a client that never reports ends must not fill the memory. */
const CALLS_MAX = 24
/** Calls that wait for a terminal, in one session. Both together are fewer than a session may have open. */
const WAITING_MAX = 6

interface OpenCall {
  readonly answer: Answer
  readonly step: ProposedStep
}

export type HookSession = ReturnType<typeof createHookSession>

/** The steps of one agent: each is proposed before it runs, and completed with its result. */
export function createHookSession(session: Session, { approve, queue }: HookDoor, title: string) {
  /** By the client's id of the call, else by its tool and arguments; the oldest first. */
  const open = new Map<string, OpenCall[]>()

  /** Calls that wait for an answer from elsewhere, the oldest first. */
  const waiting: OpenCall[] = []
  /** Calls that were approved elsewhere, until they are made again. */
  const ready = new Map<string, Answer>()

  function remember(event: StepProposed, call: OpenCall): void {
    const key = keyOf(event)
    open.set(key, [...(open.get(key) ?? []), call])
  }

  function take(event: StepCompleted): OpenCall | undefined {
    const key = keyOf(event)
    const [first, ...others] = open.get(key) ?? []
    if (others.length > 0) open.set(key, others)
    else open.delete(key)
    return first
  }

  /** The answer with an approval that was given for later sessions, if there is one. */
  async function kept(asked: Answer, step: ProposedStep): Promise<Answer> {
    const found = approve && (await queue.findKept(asked, step))
    if (!found) return asked
    await approve(asked, found, step)
    return session.ask(step, { prerequisitesMs: PREREQUISITES_MS })
  }

  async function proposed(event: StepProposed): Promise<HookAnswer> {
    await queue.collect()
    const step = stepOf(event)
    const before = ready.get(stepKeyOf(step))
    if (before) {
      ready.delete(stepKeyOf(step))
      remember(event, { answer: before, step })
      return ALLOWED
    }
    const asked = await session.ask(step, { prerequisitesMs: PREREQUISITES_MS })
    // The same call again: it has the same answer.
    const at = waiting.findIndex((call) => call.answer.callId === asked.callId)
    if (at >= 0) waiting.splice(at, 1)
    const answer = isWaiting(asked) ? await kept(asked, step) : asked
    const { mayRun, verdict } = answer
    if (!isWaiting(answer)) {
      if (!mayRun) return { verdict: 'block', text: `${explain(answer)}.` }
      if (countOf(open) >= CALLS_MAX) await closeAll()
      remember(event, { answer, step })
      return verdict === 'warn' ? { verdict, text: `Plimsoll warns: ${causeOf(answer)}.` } : ALLOWED
    }
    await queue.add(answer, approvalLines(answer, { arguments: event.arguments }), step)
    const how = { ...answer, approveWith: queue.approveWith(answer) }
    if (event.canAsk && approve) {
      remember(event, { answer, step })
      return {
        verdict: 'confirm',
        text: `Plimsoll asks: ${causeOf(answer)}. ${ELSEWHERE} ${how.approveWith}.`,
      }
    }
    await leaveWaiting({ answer, step })
    return { verdict: 'block', text: `${explain(how)}. ${RETRY}` }
  }

  /** What ran although it was to wait was approved in the client's dialog. */
  async function approved({ answer, step }: OpenCall): Promise<Answer> {
    if (!isWaiting(answer) || !approve) return answer
    await approve(answer, { resolution: 'approved', by: `the user of ${title}` }, step)
    await queue.remove(answer)
    return session.resolution(answer, { timeoutMs: 0 })
  }

  async function completed(event: StepCompleted): Promise<void> {
    const { result, isError } = event
    const step = stepOf(event)
    // Without a proposal: the service was not there when the call began.
    const call = take(event) ?? { answer: await session.propose(step), step }
    const answer = await approved(call)
    await session.complete(answer, { outcome: isError ? 'error' : 'ok', result })
  }

  /**
   * Calls that are over without a report: refused in the client's dialog, or interrupted. What they did is unknown. Requests stay open for
   * a terminal.
   */
  async function closeAll(): Promise<void> {
    const calls = [...open.values()].flat()
    open.clear()
    for (const call of calls) {
      if (isWaiting(call.answer)) await leaveWaiting(call)
      else await session.complete(call.answer, { outcome: 'error', isWhole: false })
    }
  }

  /** What the user says may ask for a call that waits: then it is judged again. */
  async function instruct(text: string): Promise<void> {
    await closeAll()
    await queue.collect()
    for (const { answer, step } of waiting.splice(0)) {
      const now = await session.resolution(answer, { timeoutMs: 0 })
      if (isWaiting(now)) await withdraw(answer, step)
      else if (now.mayRun) ready.set(stepKeyOf(step), now)
    }
    await session.instruct(text)
  }

  async function leaveWaiting(call: OpenCall): Promise<void> {
    waiting.push(call)
    const [oldest] = waiting.length > WAITING_MAX ? waiting.splice(0, 1) : []
    if (oldest) await withdraw(oldest.answer, oldest.step)
  }

  async function withdraw(asked: Answer, step: ProposedStep): Promise<void> {
    await approve?.(asked, { resolution: 'denied', by: `the user of ${title}` }, step)
    await queue.remove(asked)
    // Takes the denial, which else would answer the same call.
    const answer = await session.ask(step, { prerequisitesMs: 0 })
    if (answer.mayRun) await session.complete(answer, { outcome: 'error' })
  }

  return {
    proposed,
    completed,
    closeAll,
    instruct,
    /** Whether a terminal may still answer a request of it. */
    isAwaited: () => waiting.length > 0,
    handover: () => session.handover(),
    end: async () => {
      await closeAll()
      await session.end('completed')
    },
  }
}

const ELSEWHERE = 'Where no dialog comes up, a human approves it with'

const ALLOWED: HookAnswer = { verdict: 'allow', text: '' }

const RETRY = 'The request stays open: tell the user, and use exactly the same arguments.'

const countOf = (open: ReadonlyMap<string, readonly OpenCall[]>): number =>
  [...open.values()].reduce((sum, calls) => sum + calls.length, 0)

/** Arguments that say in which folder a tool acts: then its paths are not of the session's folder. */
const FOLDERS = ['cwd', 'workdir', 'dir_path', 'directory', 'working_directory', 'working_dir']

function stepOf({ tool, arguments: args, isRemote, folder }: StepProposed | StepCompleted): ProposedStep {
  const isElsewhere = FOLDERS.some((name) => Object.hasOwn(args, name) && args[name] !== folder)
  const step = { tool, arguments: args, isRemote }
  if (folder === undefined || isElsewhere) return step
  return { ...step, isKept: (path) => isKeptInGit(folder, path) }
}

const stepKeyOf = ({ tool, arguments: args }: Pick<ProposedStep, 'tool' | 'arguments'>): string =>
  JSON.stringify([tool, args])

const keyOf = (event: StepProposed | StepCompleted): string =>
  event.call === undefined ? stepKeyOf(event) : `#${event.call}`
