import type { PlimsollClient, Session } from '@plimsoll/client'
import { pause } from '@plimsoll/runtime'

export interface ClientLoad {
  /** Proposals a second. */
  readonly rate: number
  readonly seconds: number
  /** Seconds before these that are not counted. */
  readonly warmUpSeconds: number
}

export interface ClientLatencies {
  /** From when a proposal was due to its answer, milliseconds. */
  readonly answered: readonly number[]
  /** Proposals that no decision answered. */
  readonly undecided: number
}

/** As many as the load of events has: sessions that take turns, and proposals of each before it gives way to another. */
const SESSIONS = 100
const CALLS = 20

/** Sends proposals through `client` open-loop: each at its due time, whether or not earlier ones were answered. */
export async function loadClient(client: PlimsollClient, load: ClientLoad): Promise<ClientLatencies> {
  const { rate, seconds, warmUpSeconds } = load
  const sessions: Promise<Session>[] = []
  const answered: number[] = []
  const asked: Promise<void>[] = []
  let undecided = 0

  async function ask(session: Promise<Session>, dueAt: number, isCounted: boolean): Promise<void> {
    const { by } = await (await session).propose({ tool: 'list_files' }, { timeoutMs: 30_000 })
    if (by !== 'decision') undecided++
    else if (isCounted) answered.push(performance.now() - dueAt)
  }

  const start = performance.now()
  for (let i = 0; i < (warmUpSeconds + seconds) * rate; i++) {
    const dueAt = start + (i * 1000) / rate
    if (dueAt > performance.now()) await pause(dueAt - performance.now())
    const turn = Math.floor(i / SESSIONS)
    const place = i % SESSIONS
    if (turn % CALLS === 0) sessions[place] = client.startSession({ category: 'sysadmin' })
    const session = sessions[place]
    if (session) asked.push(ask(session, dueAt, i >= warmUpSeconds * rate))
  }
  await Promise.all(asked)
  return { answered, undecided }
}
