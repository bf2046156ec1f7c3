import { readCatalogue } from '@plimsoll/policy'
import type { ConfigOf } from '@plimsoll/runtime'
import { runOtel, type RunningOtel, type RunOtelOptions } from './run-otel.js'
import type { OtelConfig, spanSettings } from './settings.js'

/** What the parts that read and write spans share. */
export type OtelGround = Pick<RunOtelOptions, 'log' | 'topics' | 'metrics' | 'logger' | 'signal'>

export type ReadingConfig = ConfigOf<typeof spanSettings> &
  Pick<OtelConfig, 'fingerprintKey' | 'identityKey' | 'catalogueFiles'>

/** Reads spans as `config` has it. Rejects as `runOtel` does, and with `document_invalid` for a catalogue that is none. */
export async function startReading(config: ReadingConfig, ground: OtelGround): Promise<RunningOtel> {
  const { spansTopic, spansEncoding, spansGroup, spansTenant, spansHoldMs } = config
  const running = await runOtel({
    ...ground,
    spansTopic,
    encoding: spansEncoding,
    group: spansGroup,
    tenant: spansTenant,
    holdMs: spansHoldMs,
    catalogue: await readCatalogue(config.catalogueFiles),
    fingerprintKey: config.fingerprintKey,
    identityKey: config.identityKey,
  })
  ground.logger.info('reading spans', { topic: spansTopic, tenant: spansTenant })
  return running
}
