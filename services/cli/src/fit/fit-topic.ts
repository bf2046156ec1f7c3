import { topicsOf, type StateSpace } from '@plimsoll/contracts'
import { monitorSettings } from '@plimsoll/monitor'
import { defaultDocuments, readCatalogue } from '@plimsoll/policy'
import { checkKafkaSettings, kafkaSettings, parseConfig } from '@plimsoll/runtime'
import { createKafkaLog, kafkaConnectionOf } from '@plimsoll/runtime/kafka'
import { bundleText, fitTopic, writeWhole, type FittedTopic } from '@plimsoll/trainer'
import type { Context } from '../command.js'
import { followFit } from './follow-fit.js'
import { within } from '../pipeline/within.js'
import { createProgress } from '../progress.js'

/** What `fit --topic` reads of the monitors' environment. */
export const topicSettings = { ...kafkaSettings, signingKey: monitorSettings.signingKey }

export interface TopicOrder {
  readonly out: string
  readonly target: 'observed' | 'modelled'
  readonly space: StateSpace
  readonly budget: number | undefined
  readonly catalogues: readonly string[]
  readonly onlyTold: boolean
  /** How far back, milliseconds; all that there is where it is left out. */
  readonly since: number | undefined
}

/** Fits to the event log of the deployment that the environment names, with a bar on `stderr`; undefined where it was stopped. */
export async function fitLog(
  { out, target, space, budget, catalogues, onlyTold, since }: TopicOrder,
  { env, stderr, signal }: Context,
): Promise<FittedTopic | undefined> {
  const config = parseConfig(topicSettings, env, { prefixes: [], checks: [checkKafkaSettings] })
  const documents = { ...(await defaultDocuments()), catalogue: await readCatalogue(catalogues) }
  const progress = createProgress(stderr, 'fit')
  const { onProgress, onPhase } = followFit(progress, space === 'flow')
  const fitting = within(async (onRelease) => {
    const log = createKafkaLog(kafkaConnectionOf(config))
    onRelease(() => log.close())
    await log.ping()
    return fitTopic({
      log,
      topic: topicsOf(config.topicPrefix).events,
      signingKey: config.signingKey,
      documents,
      target,
      space,
      budget,
      onlyTold,
      fromMs: since === undefined ? undefined : Date.now() - since,
      onProgress: ({ share, sessions, steps }) =>
        onProgress({ file: '', bytesRead: share, bytesTotal: 1, traces: sessions, steps }),
      onPhase,
      signal,
    })
  })
  const fitted = await fitting
    .catch((error: unknown) => {
      if (signal.aborted) return undefined
      throw error
    })
    .finally(() => progress.end())
  if (fitted) await writeWhole(out, bundleText(fitted.bundle))
  return fitted
}
