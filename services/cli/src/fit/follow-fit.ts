import type { FitFromFilesOptions, FlowPhase } from '@plimsoll/trainer'
import type { Progress } from '../progress.js'
import { durationText } from '../time-text.js'

/** In the space `flow` reading and playing sessions is about this much of the work: a third of a small fit, nearly half of a large one. */
const READ_SHARE = 0.4

/** What is done once all sessions are read, and how much of the work is done as it begins. */
const PHASES = {
  sample: [READ_SHARE, 'reading the sample'],
  scorers: [0.42, 'growing trees'],
  chains: [0.68, 'counting transitions'],
  thresholds: [0.7, 'choosing thresholds'],
  labelsOnly: [0.72, 'the same for sessions of which nothing is told'],
} as const satisfies Record<FlowPhase, readonly [number, string]>

/** Shows how far a fit has come: sessions and steps read, steps a second, and how long the rest of the reading takes. */
export function followFit(
  progress: Progress,
  isFlow: boolean,
  now: () => number = () => performance.now(),
): Required<Pick<FitFromFilesOptions, 'onProgress' | 'onPhase'>> {
  const began = now()
  return {
    onProgress: ({ bytesRead, bytesTotal, traces, steps }) => {
      const elapsedMs = now() - began
      const share = bytesTotal > 0 ? bytesRead / bytesTotal : undefined
      const left = share ? `, ${durationText((elapsedMs * (1 - share)) / share)} left` : ''
      const rate = Math.round((1000 * steps) / Math.max(elapsedMs, 1))
      const note = `${traces} sessions, ${steps} steps, ${rate} a second${left}`
      progress.update(share === undefined ? undefined : (isFlow ? READ_SHARE : 1) * share, note)
    },
    onPhase: (phase) => {
      const [share, note] = PHASES[phase]
      progress.update(share, note)
    },
  }
}
