import type { Output } from './command.js'

/** How often a bar is drawn again at most, milliseconds. */
const REDRAW_MS = 100
const WIDTH = 28

/** Shows how far a piece of work has come. */
export interface Progress {
  /** `share` is 0…1. */
  update(share: number, note: string): void
  /** Leaves the last state standing. */
  end(): void
}

/** A bar that is redrawn in place where a human watches; elsewhere one line for each tenth. */
export function createProgress(
  output: Output,
  label: string,
  now: () => number = () => performance.now(),
): Progress {
  return output.isTerminal ? createBar(output, label, now) : createLines(output, label)
}

function createBar(output: Output, label: string, now: () => number): Progress {
  let latest = ''
  let drawnAt = -Infinity
  const draw = () => {
    output.write(`\r${latest}\u001b[K`)
    drawnAt = now()
  }
  return {
    update: (share, note) => {
      const filled = Math.round(clamped(share) * WIDTH)
      latest = `${label} [${'='.repeat(filled)}${' '.repeat(WIDTH - filled)}] ${percent(share)} ${note}`
      if (now() - drawnAt >= REDRAW_MS) draw()
    },
    end: () => {
      if (latest === '') return
      draw()
      output.write('\n')
    },
  }
}

function createLines(output: Output, label: string): Progress {
  let tenths = 0
  return {
    update: (share, note) => {
      const reached = Math.floor(clamped(share) * 10)
      if (reached <= tenths) return
      tenths = reached
      output.write(`${label} ${percent(share)} ${note}\n`)
    },
    end: () => undefined,
  }
}

const clamped = (share: number): number => (share >= 0 ? Math.min(share, 1) : 0)
const percent = (share: number): string => `${Math.floor(clamped(share) * 100)}%`.padStart(4)
