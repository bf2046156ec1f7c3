import {
  createCounter,
  createOrderCounter,
  createOrderModel,
  estimateAggregate,
  fitTrees,
  horizonTable,
  orderHorizon,
  seededRandom,
} from '@plimsoll/chains'
import { perSecond, type Report } from '../report.js'

const STATES = 120
const TRANSITIONS = 10_000_000
const ROWS = 100_000
const FEATURES = 80
const HORIZON = 10
const MEGABYTE = 2 ** 20

/**
 * The fitting of numbers, on one core: ten million transitions streamed into counts of order 1 and of order 3, the chains and tables that
 * they give, and boosted trees. Figures: transitions a second, seconds, and by how much memory grew at the most.
 */
export async function benchChains(): Promise<Report> {
  const first = streamInto(firstOrder)
  const third = streamInto(thirdOrder)
  return {
    name: 'chains',
    figures: {
      transitions: TRANSITIONS,
      'order 1: transitions/s': first.rate,
      'order 1: memory grew at most by, MB': first.megabytes,
      'order 1: chain and P(1…10), s': first.fitted,
      'order 3: transitions/s': third.rate,
      'order 3: memory grew at most by, MB': third.megabytes,
      'order 3: chain and P(1…10), s': third.fitted,
      [`80 trees of depth 3 on ${ROWS.toLocaleString('en')} × ${FEATURES}, s of CPU`]: treesSeconds(),
    },
  }
}

/** Takes a session's states, the last of them absorbing, and in the end gives the chain. */
interface Sink {
  add(path: Int32Array): void
  fit(): void
}

function firstOrder(): Sink {
  const { counts, survive, violate, end } = createCounter(STATES)
  const group = Array.from({ length: STATES }, (_, s) => s % 5)
  return {
    add: (path) => {
      for (let i = 1; i < path.length; i++) {
        const [from = 0, to = 0] = [path[i - 1], path[i]]
        if (to < STATES) survive(from, to)
        else if (to === STATES) violate(from, from)
        else end(from)
      }
    },
    fit: () =>
      horizonTable(estimateAggregate(counts, { kappa: 4, group, join: (_, to) => to }).chain, HORIZON),
  }
}

function thirdOrder(): Sink {
  const { counts, add } = createOrderCounter(STATES, 3)
  return { add, fit: () => orderHorizon(createOrderModel(counts, 4), HORIZON) }
}

function streamInto(createSink: () => Sink): { rate: number; megabytes: number; fitted: number } {
  const before = process.memoryUsage().rss
  const sink = createSink()
  const draw = createSessions()
  let seen = 0
  let peak = before
  const start = performance.now()
  for (let sessions = 0; seen < TRANSITIONS; sessions++) {
    const path = draw()
    sink.add(path)
    seen += path.length - 1
    if (sessions % 50_000 === 0) peak = Math.max(peak, process.memoryUsage().rss)
  }
  const counted = performance.now()
  sink.fit()
  const fitted = performance.now()
  return {
    rate: perSecond(seen, (counted - start) / 1_000),
    megabytes: Math.round((peak - before) / MEGABYTE),
    fitted: secondsOf(fitted - counted),
  }
}

/** Sessions of three to a few dozen steps over states that are near one another, the seed always the same. */
function createSessions(): () => Int32Array {
  const random = seededRandom(1)
  const path = new Int32Array(64)
  return () => {
    let length = 1
    path[0] = 0
    while (length < path.length) {
      const point = random()
      const from = path[length - 1] ?? 0
      const to =
        point < 0.02 ? STATES : point < 0.15 ? STATES + 1 : (from + Math.floor(random() * 12)) % STATES
      path[length++] = to
      if (to >= STATES) break
    }
    return path.subarray(0, length)
  }
}

function treesSeconds(): number {
  const random = seededRandom(2)
  const features = Array.from({ length: FEATURES }, () => Float64Array.from({ length: ROWS }, random))
  const [a, b] = features
  const labels = Uint8Array.from({ length: ROWS }, (_, i) =>
    random() < ((a?.[i] ?? 0) > 0.5 === (b?.[i] ?? 0) > 0.3 ? 0.1 : 0.9) ? 1 : 0,
  )
  const start = process.cpuUsage()
  fitTrees(
    { features, labels },
    { trees: 80, depth: 3, learningRate: 0.1, minLeaf: 20, lambda: 1, bins: 64, seed: 1 },
  )
  const { user, system } = process.cpuUsage(start)
  return secondsOf((user + system) / 1_000)
}

/** Two decimals. */
const secondsOf = (ms: number): number => Math.round(ms / 10) / 100
