import { access, mkdir } from 'node:fs/promises'
import path from 'node:path'
import { type Topics, PlimsollError } from '@plimsoll/contracts'
import {
  type Recorder,
  createProofMetrics,
  readSigningKey,
  startRecorder,
  treesIn,
  writeKeyPair,
} from '@plimsoll/proof'
import type { EventLog, Logger, Metrics } from '@plimsoll/runtime'

export interface OwnProofOptions {
  readonly log: EventLog
  readonly topics: Topics
  readonly folder: string
  readonly signingKey: string
  readonly identityKey: string
  readonly metrics: Metrics
  readonly logger: Logger
}

/** The key of `plimsoll up`, in the folder of its proofs. */
const KEY = 'proof.pem'

/**
 * Records the log of this process into `folder`, with a key that is made there. Rejects with `usage_invalid` if the folder has proofs: they are
 * of another log, which ended with its process.
 */
export async function startOwnProof(options: OwnProofOptions): Promise<Recorder> {
  const { folder, identityKey, metrics, ...rest } = options
  if ((await treesIn(folder)).length > 0)
    throw new PlimsollError(
      'usage_invalid',
      `\`${folder}\` has proofs of an earlier run, whose log has ended with it: name another folder`,
    )
  const file = path.join(folder, KEY)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  // It may be there, from before.
  await access(file).catch(() => writeKeyPair(file))
  return startRecorder({
    ...rest,
    folder,
    key: await readSigningKey(file),
    identityKeys: [identityKey],
    metrics: createProofMetrics(metrics),
  })
}
