import { decodeState, type SessionState } from '@plimsoll/engine'
import { createEmbeddedStore } from '@plimsoll/runtime/embedded'
import type { RecordWrite, SessionStore } from '@plimsoll/runtime'
import { deploy, type Deployment } from '../../support/sessions/deployment.js'
import type { Report } from '../report.js'
import { sessionEvents } from '../pipeline/sessions.js'
import { withBenchDeployment } from '../world.js'

const SESSIONS = 400
const CALLS = 6
const ROUNDS = 9
const CHUNK = 256

/** What counting how sessions go adds to the write that stores them: the same writes with their counts and without, in turn, in one run. */
export async function benchCounting(): Promise<Report> {
  const chunks = await writtenChunks()
  return withBenchDeployment(async ({ store }) => {
    const times = { with: [] as number[], without: [] as number[] }
    for (let round = 0; round < ROUNDS; round++)
      for (const kind of round % 2 === 0 ? (['with', 'without'] as const) : (['without', 'with'] as const))
        times[kind].push(await timeWrites(store, chunks, `${kind}${round}-`, kind === 'with'))
    const writes = chunks.flat()
    const fields = writes.reduce((sum, { counts }) => sum + (counts?.fields.length ?? 0), 0)
    const distinct = chunks.map((chunk) => new Set(chunk.flatMap(({ counts }) => counts?.fields ?? [])).size)
    const [counted, plain] = [median(times.with), median(times.without)]
    return {
      name: 'counting',
      figures: {
        'records written a round': writes.length,
        'moves counted a round': fields,
        'distinct fields a chunk': median(distinct),
        'written without counts, µs a record': round(1000 * (plain / writes.length)),
        'written with counts, µs a record': round(1000 * (counted / writes.length)),
        'with to without, ratio': round(counted / plain),
      },
    }
  })
}

/** What a monitor writes of many sessions, chunk by chunk, as it writes it. */
async function writtenChunks(): Promise<RecordWrite[][]> {
  const deployment: Deployment = await deploy('embedded', { partitions: 1 })
  const chunks: RecordWrite[][] = []
  const inner = createEmbeddedStore()
  const store: SessionStore = {
    ...inner,
    compareAndSet: (writes) => {
      chunks.push(writes.filter(isOfSession))
      return inner.compareAndSet(writes)
    },
  }
  try {
    deployment.startMonitor({ store, limits: { chunkEventsMax: CHUNK } })
    const sessions = Array.from({ length: SESSIONS }, (_, i) => sessionEvents(`s${i}`, CALLS))
    const length = sessions[0]?.length ?? 0
    // Each begins a little later than its neighbour, so that a chunk holds sessions at every place, as in a fleet.
    for (let tick = 0; tick < 2 * length; tick++)
      await deployment.publish(
        sessions.flatMap((events, n) => {
          const i = tick - (n % length)
          return i >= 0 ? events.slice(i, i + 1) : []
        }),
      )
    const isDone = () => chunks.flat().filter(({ body }) => isEnded(body)).length >= SESSIONS
    while (!isDone()) await new Promise((resolve) => setTimeout(resolve, 50))
    return chunks
  } finally {
    await deployment.close()
  }
}

const isOfSession = ({ id }: RecordWrite): boolean => !id.startsWith('#')

function isEnded(body: string): boolean {
  const decoded = decodeState(body.slice(body.indexOf(' ') + 1))
  return decoded.kind === 'state' && (decoded.state satisfies SessionState).ended
}

async function timeWrites(
  store: SessionStore,
  chunks: readonly (readonly RecordWrite[])[],
  prefix: string,
  isCounting: boolean,
): Promise<number> {
  const own = chunks.map((chunk) =>
    chunk.map(({ counts, ...write }) => ({
      ...write,
      id: `${prefix}${write.id}`,
      ...(isCounting && counts && { counts }),
    })),
  )
  const start = performance.now()
  for (const writes of own) {
    const answers = await store.compareAndSet(writes)
    if (!answers.every(Boolean)) throw new Error('a write was refused')
  }
  return performance.now() - start
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
const round = (value: number): number => Math.round(value * 1000) / 1000
