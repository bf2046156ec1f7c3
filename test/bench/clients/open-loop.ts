import { digestOf, type Event } from '@plimsoll/contracts'
import { partitionOf, pause } from '@plimsoll/runtime'
import { PARTITIONS, type BenchDeployment } from '../world.js'

/** One proposal that was answered. Times are of `performance.now()`, milliseconds. */
export interface Sample {
  readonly dueAt: number
  readonly answeredAt: number
  readonly partition: number
}

export interface Answers {
  /** By due time. */
  readonly samples: readonly Sample[]
  /** Proposals that nothing answered within a minute. */
  readonly withoutVerdict: number
}

export interface Load {
  /** Stops sending and waits until everything sent is answered. */
  end(): Promise<Answers>
}

const LAST_ANSWER_MS_MAX = 60_000

export interface LoadOptions {
  /** The topic that the answers come on. */
  readonly answers: string
  /** Beginning of the sessions' ids. */
  readonly run: string
  /** Proposals a second. */
  readonly rate: number
}

/** Sessions that take turns, and proposals of each before it gives way to a new one: below the cap on open calls. */
const SESSIONS = 100
const CALLS = 20

/**
 * Sends proposals open-loop: each at its due time, whether or not earlier ones were answered, and its latency counts from then.
 */
export async function startLoad(
  deployment: BenchDeployment,
  { answers, run, rate }: LoadOptions,
): Promise<Load> {
  const due = new Map<string, { dueAt: number; partition: number }>()
  const samples: Sample[] = []
  const ending = new AbortController()
  const published: Promise<void>[] = []
  let check = () => {}
  const consumption = await deployment.log.tail(answers, ({ value }) => {
    const { id, eventId = id } = JSON.parse(String(value)) as { id: string; eventId?: string }
    const sent = due.get(eventId)
    if (!sent) return
    due.delete(eventId)
    samples.push({ ...sent, answeredAt: performance.now() })
    check()
  })
  const sending = (async () => {
    const start = performance.now()
    for (let i = 0; !ending.signal.aborted; i++) {
      const dueAt = start + (i * 1000) / rate
      if (dueAt > performance.now()) await pause(dueAt - performance.now())
      const events = eventsOf(run, i)
      const proposal = events.at(-1)
      if (!proposal) continue
      due.set(proposal.id, { dueAt, partition: partitionOf(proposal.sessionId, PARTITIONS) })
      published.push(deployment.publish(events))
    }
  })()
  return {
    end: async () => {
      ending.abort()
      await sending
      await Promise.all(published)
      const allAnswered = new Promise<void>((resolve) => {
        check = () => {
          if (due.size === 0) resolve()
        }
        check()
      })
      const given = new AbortController()
      await Promise.race([allAnswered, pause(LAST_ANSWER_MS_MAX, given.signal)])
      given.abort()
      await consumption.close()
      return { samples: samples.sort((a, b) => a.dueAt - b.dueAt), withoutVerdict: due.size }
    },
  }
}

/** The `i`th proposal, behind the start of its session where it is the first. */
function eventsOf(run: string, i: number): Event[] {
  const turn = Math.floor(i / SESSIONS)
  const call = turn % CALLS
  const sessionId = `${run}-${Math.floor(turn / CALLS)}-${i % SESSIONS}`
  const proposal = proposalOf(sessionId, call)
  return call === 0 ? [startOf(sessionId), proposal] : [proposal]
}

const envelope = (sessionId: string, seq: number) =>
  ({ schema: 1, id: `${sessionId}-${seq}`, sessionId, producer: 'bench', seq, time: 0 }) as const

const startOf = (sessionId: string): Event => ({
  ...envelope(sessionId, 0),
  type: 'session.started',
  category: 'sysadmin',
})

function proposalOf(sessionId: string, index: number): Event {
  const call = { callId: `c${index}`, tool: 'list_files', argumentsDigest: digestOf({}) }
  return { ...envelope(sessionId, index + 1), type: 'step.proposed', ...call }
}

export const latencyOf = ({ dueAt, answeredAt }: Sample): number => answeredAt - dueAt
