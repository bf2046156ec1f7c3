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

/** How long a step waits for calls that must be over first, milliseconds: a client waits for its hook. */
const PREREQUISITES_MS = 2_000
/** Calls whose end is awaited, in one session: a client that never reports ends must not fill the memory. */
const CALLS_MAX = 24
/** Calls that wait for a terminal, in one session. Both together are fewer than a session may have open. */
const WAITING_MAX = 6

/** Calls whose folders are kept, in one session. */
const ASKED_MAX = 256

interface OpenCall {
  readonly answer: Answer
  readonly step: ProposedStep
  /** The same words do something else in another folder. */
  readonly folder: string | undefined
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
  /** Where calls were asked about last: the same words in another folder are another call. */
  const askedIn = new Map<string, string | undefined>()

  function remember(event: StepProposed, call: OpenCall): void {
    const key = keyOf(event)
    open.set(key, [...(open.get(key) ?? []), call])
  }

  function take(event: StepCompleted): OpenCall | undefined {
    const key = keyOf(event)
    const calls = open.get(key) ?? []
    const at = calls.findIndex(({ step }) => step.tool === event.tool)
    const [found] = at < 0 ? [] : calls.splice(at, 1)
    if (calls.length === 0) open.delete(key)
    return found
  }

  /** The answer with an approval that was given for later sessions, if there is one. */
  async function kept(asked: Answer, step: ProposedStep): Promise<Answer> {
    const found = approve && (await queue.findKept(asked, step))
    if (!found) return asked
    await approve(asked, found, step)
    return ask(step)
  }

  const ask = (step: ProposedStep): Promise<Answer> =>
    session.ask(step, { prerequisitesMs: PREREQUISITES_MS })

  /** The answer to a step, which is that of the same call made before if it was made in the same folder. */
  async function answerTo(step: ProposedStep, folder: string | undefined): Promise<Answer> {
    let asked = await ask(step)
    const at = waiting.findIndex((call) => call.answer.callId === asked.callId)
    const [before] = at < 0 ? [] : waiting.splice(at, 1)
    if (before && before.folder !== folder) {
      if (asked.mayRun) await session.complete(asked, { outcome: 'error' })
      else await withdraw(asked, step)
      asked = await ask(step)
    }
    return isWaiting(asked) ? kept(asked, step) : asked
  }

  async function proposed(event: StepProposed): Promise<HookAnswer> {
    await queue.collect()
    const asked = stepOf(event)
    const { folder } = event
    const before = ready.get(stepKeyOf(event))
    if (before) {
      ready.delete(stepKeyOf(event))
      remember(event, { answer: before, step: asked, folder })
      return ALLOWED
    }
    const { answer, step } = await answerIn(folder, asked)
    const { mayRun, verdict } = answer
    if (!isWaiting(answer)) {
      if (!mayRun) return { verdict: 'block', text: `${explain(answer)}.` }
      if (countOf(open) >= CALLS_MAX) await closeAll()
      remember(event, { answer, step, folder })
      return verdict === 'warn' ? { verdict, text: `Plimsoll warns: ${causeOf(answer)}.` } : ALLOWED
    }
    noteAsked(step, folder)
    await queue.add(answer, approvalLines(answer, { arguments: event.arguments }), step)
    const how = { ...answer, approveWith: queue.approveWith(answer) }
    if (event.canAsk && approve) {
      remember(event, { answer, step, folder })
      return {
        verdict: 'confirm',
        text: `Plimsoll asks: ${causeOf(answer)}. ${ELSEWHERE} ${how.approveWith}.`,
      }
    }
    await leaveWaiting({ answer, step, folder })
    return { verdict: 'block', text: `${explain(how)}. ${RETRY}` }
  }

  /** The answer, and the step it is for: approved for the session in another folder, the same words are another call. */
  async function answerIn(folder: string | undefined, step: ProposedStep) {
    const answer = await answerTo(step, folder)
    if (!answer.mayRun || !isRepeated(answer) || askedIn.get(stepKeyOf({ ...step, folder: '' })) === folder)
      return { answer, step }
    await session.complete(answer, { outcome: 'error' })
    const here = { ...step, arguments: { ...step.arguments, cwd: folder ?? '' } }
    return { answer: await answerTo(here, folder), step: here }
  }

  function noteAsked(step: ProposedStep, folder: string | undefined): void {
    askedIn.set(stepKeyOf({ ...step, folder: '' }), folder)
    const [oldest] = askedIn.keys()
    if (askedIn.size > ASKED_MAX && oldest !== undefined) askedIn.delete(oldest)
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
    const call = take(event) ?? { answer: await session.propose(step), step, folder: event.folder }
    // Whether it was refused in the dialog, or has failed, is not known: that is no approval.
    if (isError && isWaiting(call.answer)) return leaveWaiting(call)
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
    for (const { answer, step, folder } of waiting.splice(0)) {
      const now = await session.resolution(answer, { timeoutMs: 0 })
      if (isWaiting(now)) await withdraw(answer, step)
      else if (now.mayRun) ready.set(stepKeyOf({ ...step, folder }), now)
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

/** Whether only an approval of the same call in this session lets it run. */
const isRepeated = ({ decision }: Answer): boolean =>
  decision?.reasons.some(
    ({ source, liftedBy = '' }) => OF_SAME_CALL.has(source) && liftedBy.startsWith('approval:'),
  ) === true
const OF_SAME_CALL: ReadonlySet<string> = new Set(['line', 'hazard', 'forward'])

const ELSEWHERE = 'Where no dialog comes up, a human approves it with'

const ALLOWED: HookAnswer = { verdict: 'allow', text: '' }

const RETRY = 'The request stays open: tell the user, and use exactly the same arguments.'

const countOf = (open: ReadonlyMap<string, readonly OpenCall[]>): number =>
  [...open.values()].reduce((sum, calls) => sum + calls.length, 0)

const stepOf = ({ tool, arguments: args, isRemote, folder }: StepProposed | StepCompleted): ProposedStep => ({
  tool,
  arguments: args,
  isRemote,
  localFolder: folder,
})

const stepKeyOf = ({
  tool,
  arguments: args,
  isRemote,
  folder,
}: Pick<StepProposed, 'folder'> & Pick<ProposedStep, 'tool' | 'arguments' | 'isRemote'>): string =>
  JSON.stringify([tool, args, isRemote, folder])

const keyOf = (event: StepProposed | StepCompleted): string =>
  event.call === undefined ? stepKeyOf(event) : `#${event.call}`
