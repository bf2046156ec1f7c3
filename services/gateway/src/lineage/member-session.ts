import type { Answer, ProposedStep, Session } from '@plimsoll/client'
import type { Member } from './lineage.js'

/**
 * `session` as one of its lineage: before each step it knows what the others have come to know, and they know what it does before the
 * agent hears of it. Where that cannot be had, the step is not let run: it rejects with `store_unavailable`.
 */
export function memberSession(session: Session, member: Member): Session {
  const tell = () => member.tell(session.handover())

  async function knowing(step: ProposedStep): Promise<ProposedStep> {
    // What could not be told the last time is told first.
    await tell()
    const relative = await member.unknownTo(session.handover())
    return relative ? { ...step, relative } : step
  }

  /** What is let run and cannot be told must not run, and nothing is to wait for it. */
  async function told(answer: Answer): Promise<Answer> {
    try {
      await tell()
      return answer
    } catch (error) {
      if (answer.mayRun) await session.complete(answer, { outcome: 'error' })
      throw error
    }
  }

  return {
    ...session,
    propose: async (step, options) => told(await session.propose(await knowing(step), options)),
    ask: async (step, options) => told(await session.ask(await knowing(step), options)),
    resolution: async (answer, options) => told(await session.resolution(answer, options)),
    run: async (step, execute, options) => {
      const result = await session.run(
        await knowing(step),
        async (...given) => {
          await tell()
          return execute(...given)
        },
        options,
      )
      await tell().catch(() => {})
      return result
    },
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
