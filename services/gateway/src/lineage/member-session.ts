import { joinedHandover, StepBlocked, type Answer, type ProposedStep, type Session } from '@plimsoll/client'
import type { DecisionKind, Handover } from '@plimsoll/contracts'
import type { Member } from './lineage.js'

/**
 * `session` as one of its lineage: before each step it knows what the others have come to know, and they know what it does before the
 * agent hears of it. Where that cannot be had, the step is not let run: it rejects with `store_unavailable`. What is `owed` to it from its
 * beginning here, and whatever comes later, goes with each step until one is decided on that it went with.
 */
export function memberSession(session: Session, member: Member, owed?: Handover): Session {
  let news = owed
  const tell = () => member.tell(session.handover())

  async function knowing(step: ProposedStep): Promise<ProposedStep> {
    // What could not be told the last time is told first.
    await tell()
    news = joinedHandover(news, await member.unknownTo(session.handover()))
    return news ? { ...step, relative: news } : step
  }

  function decided({ decision }: Answer, { relative }: ProposedStep): void {
    if (relative && relative === news && isOnStep(decision?.kind)) news = undefined
  }

  /** What is let run and cannot be told must not run, and nothing is to wait for it. */
  async function told(answer: Answer, step: ProposedStep = NO_STEP): Promise<Answer> {
    decided(answer, step)
    try {
      await tell()
      return answer
    } catch (error) {
      if (answer.mayRun) await session.complete(answer, { outcome: 'error' })
      throw error
    }
  }

  async function run<T>(...[step, execute, options]: Parameters<typeof session.run<T>>): Promise<T> {
    const asked = await knowing(step)
    const performed = async (...[values, given]: Parameters<typeof execute>) => {
      decided(given.answer, asked)
      await tell()
      return execute(values, given)
    }
    try {
      return await session.run(asked, performed, options)
    } catch (error) {
      if (error instanceof StepBlocked) decided(error.answer, asked)
      throw error
    } finally {
      await tell().catch(() => {})
    }
  }

  return {
    ...session,
    propose: async (step, options) => {
      const asked = await knowing(step)
      return told(await session.propose(asked, options), asked)
    },
    ask: async (step, options) => {
      const asked = await knowing(step)
      return told(await session.ask(asked, options), asked)
    },
    resolution: async (answer, options) => told(await session.resolution(answer, options)),
    run,
    complete: async (answer, result) => {
      await session.complete(answer, result)
      // It has been told of; the others hear of it before the next step at the latest.
      await tell().catch(() => {})
    },
    end: async (outcome) => {
      await tell().catch(() => {})
      await session.end(outcome)
    },
  }
}

const NO_STEP: ProposedStep = { tool: '' }

/** Whether a decision is on a step that the monitor has taken in, with what was told with it. */
const isOnStep = (kind: DecisionKind | undefined): boolean => kind === 'step' || kind === 'approval'
