/**
 * Signals of conduct: what a step does to what it found, counted in the client from the texts of its arguments. Each is a count of 0 to 8
 * in eighths; 0 is left out. The text itself stays with the client. Source: docs/decisions/20261125-conduct.md.
 */
export const CONDUCT_SIGNALS = {
  conductReads: 'Only looks: prints, lists or searches.',
  conductInspects: 'Programs and scripts whose text it reads.',
  conductRuns: 'Scripts that it runs.',
  conductWrites: 'Writes.',
  conductWritesCode: 'Writes a script or program.',
  conductWritesLog: 'Writes a log.',
  conductWritesData: 'Writes data.',
  conductInline: 'Code or text written within the command.',
  conductEdits: 'Edits in place.',
  conductRemoves: 'Removes.',
  conductForces: 'Options that switch a check off or go over it.',
  conductComments: 'Lines of comment.',
  conductLength: 'Length of the arguments, base-2 logarithm of units of 16 characters.',
  conductNumbers: 'Numbers in the arguments, by twos.',
  conductInvents: 'Words of making data up.',
  conductAdjusts: 'Words of adjusting.',
  conductTargets: 'Words of a target to be met.',
  conductBypasses: 'Words of going around a check.',
  conductAdmits: 'Words of admitting a limit.',
  conductConceals: 'Words of covering traces.',
} as const
export type ConductSignal = keyof typeof CONDUCT_SIGNALS

/** Signals of conduct in a result. */
export const CONDUCT_RESULT_SIGNALS = {
  conductFails: 'Something failed.',
  conductFallsShort: 'Something fell short.',
  conductSucceeds: 'Something succeeded.',
} as const
export type ConductResultSignal = keyof typeof CONDUCT_RESULT_SIGNALS

/**
 * The score of the texts by the client's linear model: of the arguments, of the result. Log odds −8 to 8 in steps of a quarter, as
 * (score + 8) ÷ 16.
 */
export const CONDUCT_TEXT = 'conductText'
export const CONDUCT_TEXT_SIGNAL = {
  [CONDUCT_TEXT]: 'Score of the words of arguments or result: log odds −8 to 8, as (score + 8) ÷ 16.',
} as const
