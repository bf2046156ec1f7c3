import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'

export interface TerminalOptions {
  readonly input: NodeJS.ReadableStream
  readonly output: NodeJS.WritableStream
  /** Aborts when the process is asked to end. */
  readonly signal: AbortSignal
}

/**
 * Asks for a line on a terminal. Anyone who ends the input (Ctrl-D, Ctrl-C), or the process, answers with an empty line: a question
 * that is about what may happen is then answered no.
 */
export function askOn({ input, output, signal }: TerminalOptions): (question: string) => Promise<string> {
  return async (question) => {
    const terminal = createInterface({ input, output })
    try {
      const left = new Promise<string>((resolve) => {
        terminal.once('close', () => resolve(''))
        signal.addEventListener('abort', () => resolve(''), { once: true })
        if (signal.aborted) resolve('')
      })
      return await Promise.race([terminal.question(question), left])
    } finally {
      terminal.close()
    }
  }
}

/** The release that runs, such as `0.1.0`. */
export function readRelease(): string {
  const file = new URL('../../package.json', import.meta.url)
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version
}
