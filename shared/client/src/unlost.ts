import type { PlimsollClient, Session } from './session.js'

const nothing = (): void => {}

/**
 * `call`, of whose promise nobody has to take care: where it rejects and nobody listens, the process goes on. A guard must not end the
 * agent that it guards because one that went on without waiting was refused.
 */
function unlost<A extends unknown[], T>(call: (...args: A) => Promise<T>): (...args: A) => Promise<T> {
  return (...args) => {
    const promise = call(...args)
    promise.catch(nothing)
    return promise
  }
}

export const unlostSession = (session: Session): Session => ({
  ...session,
  instruct: unlost(session.instruct),
  propose: unlost(session.propose),
  resolution: unlost(session.resolution),
  ask: unlost(session.ask),
  run: (step, execute, options) => {
    const promise = session.run(step, execute, options)
    promise.catch(nothing)
    return promise
  },
  complete: unlost(session.complete),
  end: unlost(session.end),
})

export const unlostClient = <C extends PlimsollClient>(client: C): C => ({
  ...client,
  startSession: unlost(client.startSession),
  resumeSession: unlost(client.resumeSession),
  close: unlost(client.close),
})
