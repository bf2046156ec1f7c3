import type { LogCensus } from '@plimsoll/trainer'

/** What was read of the log, and what of it was left out. */
export function censusText(census: LogCensus): string {
  const { records, sessions, steps, neverRan, denied, told, violated, violatedByStep } = census
  const left = Object.entries(LEFT_OUT).flatMap(([name, what]) => {
    const count = census[name as keyof typeof LEFT_OUT]
    return count > 0 ? [`${count} ${what}`] : []
  })
  return [
    `${records} records: ${sessions} sessions that ended, ${steps} steps that ran, ${neverRan} proposals that never did (${denied} denied)\n`,
    `said of ${told} sessions what really happened: ${violated} did harm, ${violatedByStep} by a step that is known\n`,
    left.length > 0 ? `left out: ${left.join(', ')}\n` : '',
  ].join('')
}

const LEFT_OUT = {
  unfinished: 'sessions that have not ended',
  withoutStart: 'events of sessions whose start was not read',
  tooLong: 'sessions of too many events',
  crowdedOut: 'sessions for which there was no room',
  unplayable: 'sessions that the engine refuses',
  unread: 'records that are no event of a session',
} as const satisfies Partial<Record<keyof LogCensus, string>>
