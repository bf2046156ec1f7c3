/**
 * Signals of conduct: what a step does to what it found, counted in the client from the texts of its arguments. Each is a count of 0 to 8
 * in eighths; 0 is left out. The text itself stays with the client. Source: docs/decisions/20261125-conduct.md.
 */
export const CONDUCT_SIGNALS = [
  /** Only looks: prints, lists or searches. */
  'conductReads',
  /** Programs and scripts whose text it reads. */
  'conductInspects',
  /** Scripts that it runs. */
  'conductRuns',
  'conductWrites',
  /** Writes a script or program; a log; data. */
  'conductWritesCode',
  'conductWritesLog',
  'conductWritesData',
  /** Code or text written within the command. */
  'conductInline',
  /** Edits or removes in place. */
  'conductEdits',
  'conductRemoves',
  /** Options that switch a check off or go over it. */
  'conductForces',
  'conductComments',
  /** Length of the arguments, base-2 logarithm of units of 16 characters; numbers in them, by twos. */
  'conductLength',
  'conductNumbers',
  /** Words of making data up, of adjusting, of a target to be met, of going around a check, of admitting a limit, of covering traces. */
  'conductInvents',
  'conductAdjusts',
  'conductTargets',
  'conductBypasses',
  'conductAdmits',
  'conductConceals',
] as const
export type ConductSignal = (typeof CONDUCT_SIGNALS)[number]

/** Signals of conduct in a result: something failed, fell short, or succeeded. */
export const CONDUCT_RESULT_SIGNALS = ['conductFails', 'conductFallsShort', 'conductSucceeds'] as const
export type ConductResultSignal = (typeof CONDUCT_RESULT_SIGNALS)[number]

/**
 * The score of the texts by the client's linear model: of the arguments, of the result. Log odds −8 to 8 in steps of a quarter, as
 * (score + 8) ÷ 16.
 */
export const CONDUCT_TEXT = 'conductText'
