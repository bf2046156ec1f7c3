import { setTimeout as sleep } from 'node:timers/promises'
import type { Output } from './command.js'
import { commandsFor } from './commands.js'
import { askOn } from './format/terminal.js'
import { runCli } from './program.js'

/** How long open handles may keep the process after a command, milliseconds. */
const LINGER_MS = 5_000

/**
 * Two signals within this time count as one, milliseconds: the terminal signals the whole group, and npm passes the signal on. The process
 * listens that long, since a signal without a listener would end it without its exit code.
 */
const SAME_SIGNAL_MS = 250

const abort = new AbortController()
let askedAt = -Infinity

function endOnSignal(exitCode: number): () => void {
  return () => {
    // The first signal asks it to end, the second forces it.
    if (!abort.signal.aborted) askedAt = performance.now()
    else if (performance.now() - askedAt > SAME_SIGNAL_MS) process.exit(exitCode)
    abort.abort()
  }
}

/** How often a process under npm looks for its parent, milliseconds. */
const PARENT_CHECK_MS = 250

/** npm and npx pass a SIGTERM to a shell, which ends without passing it on: this process then gets another parent, and ends too. */
function endWithParent(): void {
  const { ppid } = process
  const check = setInterval(() => {
    if (process.ppid === ppid) return
    clearInterval(check)
    process.kill(process.pid, 'SIGTERM')
  }, PARENT_CHECK_MS)
  check.unref()
}

function outputTo(stream: NodeJS.WriteStream): Output {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // The reader has gone (`plimsoll up | head`).
    if (error.code !== 'EPIPE') throw error
    abort.abort()
  })
  return { write: (text) => void stream.write(text), isTerminal: stream.isTTY }
}

/** kafkajs sets timers in the past, which is harmless but gives a warning on Node 24; all other warnings are shown. */
function showWarning({ name, message }: Error): void {
  if (name !== 'TimeoutNegativeWarning') process.stderr.write(`${name}: ${message}\n`)
}

process.removeAllListeners('warning')
process.on('warning', showWarning)
process.on('SIGINT', endOnSignal(130))
process.on('SIGTERM', endOnSignal(143))
const argv = process.argv.slice(2)
/** The service of hooks outlives the hook that started it, also under npm. */
const outlivesParent = argv[0] === 'hook' && argv[1] === 'serve'
if (process.env.npm_lifecycle_event !== undefined && !outlivesParent) endWithParent()
process.exitCode = await runCli(argv, await commandsFor(argv), {
  env: process.env,
  stdout: outputTo(process.stdout),
  stderr: outputTo(process.stderr),
  signal: abort.signal,
  ...(process.stdin.isTTY &&
    process.stdout.isTTY && {
      ask: askOn({ input: process.stdin, output: process.stdout, signal: abort.signal }),
    }),
})
const listenMs = askedAt + SAME_SIGNAL_MS - performance.now()
if (listenMs > 0) await sleep(listenMs)
setTimeout(() => process.exit(), LINGER_MS).unref()
