import { setTimeout as sleep } from 'node:timers/promises'
import type { Output } from './command.js'
import { COMMANDS } from './commands.js'
import { askOn } from './format/terminal.js'
import { runCli } from './program.js'

/** How long whatever is still open after a command may keep the process, milliseconds. */
const LINGER_MS = 5_000

/**
 * Two signals so close are one: the terminal sends it to the whole group, and npm hands it on to us once more. Milliseconds. We listen
 * for as long, for a signal that finds nobody listening ends the process without its exit code.
 */
const SAME_SIGNAL_MS = 250

const abort = new AbortController()
let askedAt = -Infinity

function endOnSignal(exitCode: number): () => void {
  return () => {
    // The first asks, the second does not.
    if (!abort.signal.aborted) askedAt = performance.now()
    else if (performance.now() - askedAt > SAME_SIGNAL_MS) process.exit(exitCode)
    abort.abort()
  }
}

function outputTo(stream: NodeJS.WriteStream): Output {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // Anyone who read us has gone (`plimsoll up | head`): there is nobody left to write for.
    if (error.code !== 'EPIPE') throw error
    abort.abort()
  })
  return { write: (text) => void stream.write(text), isTerminal: stream.isTTY }
}

/** kafkajs sets timers whose time has passed, which is harmless and which Node 24 tells of once; every other warning is shown. */
function showWarning({ name, message }: Error): void {
  if (name !== 'TimeoutNegativeWarning') process.stderr.write(`${name}: ${message}\n`)
}

process.removeAllListeners('warning')
process.on('warning', showWarning)
process.on('SIGINT', endOnSignal(130))
process.on('SIGTERM', endOnSignal(143))
process.exitCode = await runCli(process.argv.slice(2), COMMANDS, {
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
