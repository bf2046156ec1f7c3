import type { Output } from '../command.js'

/** Least time between two drawings of a bar, milliseconds. */
const REDRAW_MS = 100
const WIDTH = 28

/** Interval of lines for work without an end, without a terminal, milliseconds. */
const LINE_MS = 10_000

/** Shows the progress of work. */
export interface Progress {
  /** `share` is 0…1; undefined if the work has no end. */
  update(share: number | undefined, note: string): void
  /** Shows the last state, and ends the line. */
  end(): void
}

/** On a terminal a bar that is redrawn in place; elsewhere a line for each tenth, or at an interval if the work has no end. */
export function createProgress(
  output: Output,
  label: string,
  now: () => number = () => performance.now(),
): Progress {
  return output.isTerminal ? createBar(output, label, now) : createLines(output, label, now)
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
      latest = share === undefined ? `${label} ${note}` : `${label} ${barOf(share)} ${note}`
      if (now() - drawnAt >= REDRAW_MS) draw()
    },
    end: () => {
      if (latest === '') return
      draw()
      output.write('\n')
    },
  }
}

function barOf(share: number): string {
  const filled = Math.round(clamped(share) * WIDTH)
  return `[${'='.repeat(filled)}${' '.repeat(WIDTH - filled)}] ${percent(share)}`
}

function createLines(output: Output, label: string, now: () => number): Progress {
  let tenths = 0
  let reportedAt = -Infinity
  return {
    update: (share, note) => {
      if (share === undefined) {
        if (now() - reportedAt < LINE_MS) return
        reportedAt = now()
        output.write(`${label} ${note}\n`)
        return
      }
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
