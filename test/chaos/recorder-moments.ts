/** What was written when the process ends: of the lines of a tree, then of how far it has read. */
export const MOMENTS = [
  'half of the lines',
  'the lines',
  'the synced lines',
  'half of the progress',
  'the progress',
] as const

export type Moment = (typeof MOMENTS)[number]

/** What a recorder's process is given. */
export interface RecorderProcess {
  readonly folder: string
  readonly keyFile: string
  readonly sessions: readonly string[]
  readonly steps: number
  readonly fate?: { readonly moment: Moment; readonly nth: number }
}
