/** What was read of the log, and what of it was left out and why. */
export interface LogCensus {
  records: number
  /** Sessions found from their start to their end. */
  sessions: number
  /** Steps of them that ran: that were completed. */
  steps: number
  /** Proposals that were never completed: blocked, denied, or nobody knows. They are censored. */
  neverRan: number
  /** Steps that a human denied. */
  denied: number
  /** Sessions somebody looked at; those that did harm, and those of them whose step is known and ran. */
  told: number
  violated: number
  violatedByStep: number
  /** Sessions that had not ended where the log ends. */
  unfinished: number
  /** Events of sessions whose start lies before what was read. */
  withoutStart: number
  /** Sessions with more events than are followed, or more at a time than there is room for. */
  tooLong: number
  crowdedOut: number
  /** Sessions that the engine refuses to follow. */
  unplayable: number
  /** Records that are no event of a session that a monitor would take. */
  unread: number
}

export const createLogCensus = (): LogCensus => ({
  records: 0,
  sessions: 0,
  steps: 0,
  neverRan: 0,
  denied: 0,
  told: 0,
  violated: 0,
  violatedByStep: 0,
  unfinished: 0,
  withoutStart: 0,
  tooLong: 0,
  crowdedOut: 0,
  unplayable: 0,
  unread: 0,
})
