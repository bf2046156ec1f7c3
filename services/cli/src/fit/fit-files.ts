import { PlimsollError, type Bundle, type StateSpace } from '@plimsoll/contracts'
import { readCatalogue } from '@plimsoll/policy'
import { fitFromFiles, type LogCensus } from '@plimsoll/trainer'
import type { Context } from '../command.js'
import { followFit } from './follow-fit.js'
import { createProgress } from '../progress.js'

export interface FilesOrder {
  readonly files: readonly string[]
  readonly out: string
  readonly target: 'observed' | 'modelled'
  readonly space: StateSpace
  /** Share of the safe sessions in which a step may ask a human; the trainer's where it is left out. */
  readonly budget: number | undefined
  /** Files of catalogues that label, besides those that ship. */
  readonly catalogues: readonly string[]
}

/** A fitted bundle; undefined where whoever wanted it has stopped it. */
export type Fitted =
  { readonly bundle: Bundle; readonly version: string; readonly census?: LogCensus } | undefined

/** Fits to recorded sessions, with a bar on `stderr`, and writes the bundle. */
export async function fitFiles(
  { files, out, target, space, budget, catalogues }: FilesOrder,
  { stderr, signal }: Pick<Context, 'stderr' | 'signal'>,
): Promise<Fitted> {
  if (files.length === 0) throw new PlimsollError('usage_invalid', '`--traces` is missing')
  const catalogue = await readCatalogue(catalogues)
  const progress = createProgress(stderr, 'fit')
  const hooks = followFit(progress, space === 'flow')
  const settings = {
    files,
    catalogue,
    out,
    target,
    space,
    signal,
    ...hooks,
    ...(budget !== undefined && { budget }),
  } as const
  return fitFromFiles(settings)
    .catch((error: unknown) => {
      if (signal.aborted) return undefined
      throw error
    })
    .finally(() => progress.end())
}
