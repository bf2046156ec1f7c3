import { matchFingerprints, addSource, TRUSTED, UNTRUSTED } from '@plimsoll/engine'

const TYPICAL = 150
const CAP = 700
/** Of a step's 64 fingerprints half are its proposal's, half its result's. */
const HALF = 32
const STEPS = 64
const ROUNDS = 15

/** What a step's 64 fingerprints cost the monitor: those of its proposal matched, those of its result kept. CPU time, the median of rounds. */
export function provenanceFigures(): Record<string, number> {
  return {
    [`64 fingerprints matched and kept among ${TYPICAL}, µs`]: micros(TYPICAL),
    [`the same at the cap (${CAP}), µs`]: micros(CAP),
  }
}

function micros(fill: number): number {
  const sources = filledTo(fill)
  const steps = Array.from({ length: STEPS }, (_, i) => ({
    proposed: [...madeUp(i % (fill - HALF / 2), HALF / 2), ...madeUp(1_000_000 + i * HALF, HALF / 2)],
    returned: madeUp(2_000_000 + i * HALF, HALF),
  }))
  const round = () => {
    for (const { proposed, returned } of steps) {
      matchFingerprints(sources, proposed)
      addSource(sources, returned, UNTRUSTED)
    }
  }
  for (let i = 0; i < 300; i++) round()
  const times = Array.from({ length: ROUNDS }, () => {
    const before = process.cpuUsage()
    for (let i = 0; i < 100; i++) round()
    const { user, system } = process.cpuUsage(before)
    return (user + system) / (100 * STEPS)
  }).sort((a, b) => a - b)
  return Math.round((times[ROUNDS >> 1] ?? 0) * 100) / 100
}

/** As a record holds them: one flat text. */
function filledTo(fill: number): string {
  let sources = ''
  for (let from = 0; from < fill; from += 50)
    sources = addSource(
      sources,
      madeUp(from, Math.min(50, fill - from)),
      from % 100 === 0 ? TRUSTED : UNTRUSTED,
    )
  return JSON.parse(JSON.stringify(sources)) as string
}

const DIGITS = 'abcdefghijklmnopqrstuvwxyz234567'

/** Fingerprints like those of a keyed hash, one for each number. */
function madeUp(from: number, count: number): string[] {
  return Array.from({ length: count }, (_, i) => {
    let hash = Math.imul(from + i + 1, 0x9e3779b1) >>> 0
    let text = 'n'
    for (let digit = 0; digit < 7; digit++) {
      hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 0
      text += DIGITS.charAt(hash >>> 27)
    }
    return text
  })
}
