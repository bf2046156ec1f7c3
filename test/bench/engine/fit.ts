import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { madeUpLines } from './fit-sessions.js'
import type { Report } from '../report.js'

/** Steps of the larger fit where PLIMSOLL_BENCH_TRANSITIONS does not say; the smaller one has a tenth of them. */
const TRANSITIONS = { paper60: 10_000_000, flow: 3_000_000 } as const
const SEED = 3

const PROCESS = fileURLToPath(new URL('./fit-process.js', import.meta.url))

/** Lines that are written at a time. */
const BATCH = 256

/**
 * `plimsoll fit` over made-up sessions of the recorded format, which are written into a pipe as they are read, so that they are never all
 * anywhere: a fit of so many steps and one of a tenth of them, in a process each. Figures: steps a second, and the peak of the memory
 * that the process took.
 */
export const benchFit = (): Promise<Report> => benchSpace('paper60')

/** The same in the space `flow`, where texts are read; the smaller fit is of as many steps as the sample that scorers are grown on. */
export const benchFitFlow = (): Promise<Report> => benchSpace('flow')

async function benchSpace(space: keyof typeof TRANSITIONS): Promise<Report> {
  const steps = Number(process.env['PLIMSOLL_BENCH_TRANSITIONS'] ?? TRANSITIONS[space])
  const small = await fitMadeUp(space, steps / 10)
  const large = await fitMadeUp(space, steps)
  return {
    name: `fit ${space}`,
    figures: {
      ...figuresOf(small),
      ...figuresOf(large),
      'peak of memory, large to small': Math.round((100 * large.peakMegabytes) / small.peakMegabytes) / 100,
    },
  }
}

interface Fitted {
  readonly traces: number
  readonly transitions: number
  readonly seconds: number
  readonly readSeconds: number
  readonly cpuSeconds: number
  readonly peakMegabytes: number
}

function figuresOf({ traces, transitions, seconds, readSeconds, cpuSeconds, peakMegabytes }: Fitted) {
  const of = `${transitions.toLocaleString('en')} steps`
  return {
    [`${of}: sessions`]: traces,
    [`${of}: steps/s`]: Math.round(transitions / seconds),
    [`${of}: steps/s of CPU`]: Math.round(transitions / cpuSeconds),
    [`${of}: of the time reading and playing`]: Math.round((100 * readSeconds) / seconds) / 100,
    [`${of}: peak of memory, MB`]: Math.round(peakMegabytes),
  }
}

async function fitMadeUp(space: string, steps: number): Promise<Fitted> {
  const folder = mkdtempSync(path.join(tmpdir(), 'plimsoll-bench-'))
  const pipe = path.join(folder, 'sessions.jsonl')
  try {
    execFileSync('mkfifo', [pipe])
    const child = spawn(process.execPath, [PROCESS, space, pipe], { stdio: ['ignore', 'pipe', 'inherit'] })
    const ended = once(child, 'exit')
    const [output] = await Promise.all([text(child.stdout), writeSessions(pipe, steps)])
    const [code] = await ended
    if (code !== 0) throw new Error(`the fit of ${steps} steps has failed`)
    return JSON.parse(output) as Fitted
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function writeSessions(pipe: string, steps: number): Promise<void> {
  const stream = createWriteStream(pipe)
  let written = 0
  let batch: string[] = []
  for (const { line, steps: own } of madeUpLines(SEED)) {
    batch.push(line)
    written += own
    if (batch.length < BATCH && written < steps) continue
    if (!stream.write(batch.join(''))) await once(stream, 'drain')
    batch = []
    if (written >= steps) break
  }
  stream.end()
  await once(stream, 'close')
}
