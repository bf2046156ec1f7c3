import { once } from 'node:events'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'

export interface TestRunOptions {
  readonly files: readonly string[]
  readonly namePatterns: readonly string[]
  readonly signal: AbortSignal
  readonly onSkip: (line: string) => void
}

export interface TestRunOutcome {
  readonly failed: number
  readonly skipped: number
}

/** Twice the two cores that CI has: most files wait for brokers, processes and installations more than they compute. */
const fileConcurrency = 4
/** A file that takes longer hangs, however busy the machine is. node:test bounds single tests only from Node 24 on. */
const fileMsMax = 1_800_000
/** A single test that takes longer is named, so that one sees what a stuck run is stuck in. */
const testMsMax = 120_000

/** Runs the files, each in a process, and prints what node:test prints, its closing summary last. */
export async function runTestFiles(options: TestRunOptions): Promise<TestRunOutcome> {
  const { files, namePatterns, signal, onSkip } = options
  const events = run({
    files: [...files],
    concurrency: fileConcurrency,
    timeout: fileMsMax,
    signal,
    ...(namePatterns.length === 0 ? {} : { testNamePatterns: [...namePatterns] }),
  })
  const outcome = { failed: 0, skipped: 0 }
  events.on('test:fail', (test) => {
    if (test.todo === undefined || test.todo === false) outcome.failed += 1
  })
  events.on('test:pass', (test) => {
    // Node 20 counts as skipped what a name pattern leaves out.
    if (test.skip === undefined || test.skip === false || namePatterns.length > 0) return
    outcome.skipped += 1
    onSkip(`skipped: ${test.name}${typeof test.skip === 'string' ? ` (${test.skip})` : ''}`)
  })
  const overdue = watchOverdue(events, onSkip)
  const report = events.compose(new spec())
  report.pipe(process.stdout, { end: false })
  await once(report, 'end')
  clearInterval(overdue)
  return outcome
}

type TestEvents = ReturnType<typeof run>

interface Position {
  readonly name: string
  readonly file?: string | undefined
  readonly line?: number | undefined
}

interface Running {
  readonly file: string
  readonly at: number
}

function watchOverdue(events: TestEvents, onSkip: (line: string) => void): NodeJS.Timeout {
  const running = new Map<string, Running>()
  const keyOf = ({ name, file, line }: Position) => `${name} (${file ?? ''}:${line ?? ''})`
  events.on('test:dequeue', (test) => {
    const { file = '' } = test
    // A file is dequeued as a test of its own name.
    if (!file.endsWith(test.name)) running.set(keyOf(test), { file, at: performance.now() })
  })
  events.on('test:complete', (test) => {
    running.delete(keyOf(test))
  })
  const check = () => {
    for (const [key, { at }] of innermost(running)) {
      if (performance.now() - at < testMsMax) continue
      running.delete(key)
      onSkip(`still running after ${testMsMax / 1000} s: ${key}`)
    }
  }
  return setInterval(check, 1_000).unref()
}

/** The test of each file that was begun last: those before it are the suites around it. */
const innermost = (running: ReadonlyMap<string, Running>): readonly (readonly [string, Running])[] => [
  ...new Map(Array.from(running, ([key, test]) => [test.file, [key, test] as const])).values(),
]
