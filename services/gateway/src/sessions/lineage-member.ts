import { randomUUID } from 'node:crypto'
import {
  type Answer,
  type PlimsollClient,
  type ProposedStep,
  type Session,
  type SessionOptions,
  StepBlocked,
} from '@plimsoll/client'
import { addsTo, joinHandovers } from '@plimsoll/client/services'
import type { Handover } from '@plimsoll/contracts'
import type { Lineage, Member } from './lineage.js'

/** `client`, whose new sessions are members of `lineage`. */
export const withLineage = (client: PlimsollClient, lineage: Lineage): PlimsollClient => ({
  ...client,
  startSession: ({ id = `session-${randomUUID()}`, ...options } = {}) =>
    startMember(client, { ...options, id }, lineage),
})

/** Starts a session with what its lineage has learned. Rejects with `store_unavailable`, and then leaves no session open. */
export async function startMember(
  client: Pick<PlimsollClient, 'startSession'>,
  options: SessionOptions & { readonly id: string },
  lineage: Lineage,
): Promise<Session> {
  const member = await lineage.begin(options.id)
  const { earlier } = member
  const session = await client.startSession({ ...options, ...(earlier && { earlier }) })
  try {
    await member.report(session.handover())
  } catch (error) {
    await session.end('cancelled')
    throw error
  }
  return memberSession(session, member)
}

/**
 * `session` as a member of its lineage: before each step it inherits what the others have learned, and they learn what it does before its
 * agent gets the answer. If that fails the step does not run: it rejects with `store_unavailable`. Inherited state, from the start or
 * later, is added to every step until a step that carried it has been decided.
 */
export function memberSession(session: Session, member: Member, pending?: Handover): Session {
  let news = pending
  const report = () => member.report(session.handover())

  async function withNews(step: ProposedStep): Promise<ProposedStep> {
    // First repeats a report that failed.
    await report()
    news = joinHandovers(news, await member.unknownTo(session.handover()))
    return news ? { ...step, relative: news } : step
  }

  function decided({ decision }: Answer, { relative }: Pick<ProposedStep, 'relative'>): void {
    const isDecided = decision?.kind === 'step' || decision?.kind === 'approval'
    if (!news || relative !== news || !isDecided) return
    // The answer to an earlier request of the same step has taken nothing.
    if (!addsTo(session.handover(), news)) news = undefined
  }

  /** Passes on an answer after its report. If that fails, an allowed step is completed, so that it neither runs nor blocks others. */
  async function reported(answer: Answer, step: Pick<ProposedStep, 'relative'> = {}): Promise<Answer> {
    decided(answer, step)
    try {
      await report()
      return answer
    } catch (error) {
      if (answer.mayRun) await session.complete(answer, { outcome: 'error' })
      throw error
    }
  }

  async function run<T>(...[step, execute, options]: Parameters<typeof session.run<T>>): Promise<T> {
    const asked = await withNews(step)
    const performed = async (...[values, running]: Parameters<typeof execute>) => {
      decided(running.answer, asked)
      await report()
      return execute(values, running)
    }
    try {
      return await session.run(asked, performed, options)
    } catch (error) {
      if (error instanceof StepBlocked) decided(error.answer, asked)
      throw error
    } finally {
      await report().catch(() => {})
    }
  }

  return {
    ...session,
    propose: async (step, options) => {
      const asked = await withNews(step)
      return reported(await session.propose(asked, options), asked)
    },
    ask: async (step, options) => {
      const asked = await withNews(step)
      return reported(await session.ask(asked, options), asked)
    },
    resolution: async (answer, options) => reported(await session.resolution(answer, options)),
    run,
    complete: async (answer, result) => {
      await session.complete(answer, result)
      // The others learn it before the next step at the latest.
      await report().catch(() => {})
    },
    end: async (outcome) => {
      await report().catch(() => {})
      await session.end(outcome)
    },
  }
}
