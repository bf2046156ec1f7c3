import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { topicsOf } from '@plimsoll/contracts'
import {
  type Entry,
  type PublicKey,
  type Recorder,
  type RecorderOptions,
  type SigningKey,
  createProofMetrics,
  fileOf,
  publicFileOf,
  readPublicKey,
  readSigningKey,
  startRecorder,
  writeKeyPair,
} from '@plimsoll/proof'
import { type EventLog, noMetrics, silentLogger } from '@plimsoll/runtime'
import { createEmbeddedLog } from '@plimsoll/runtime/embedded'
import { SIGNING_KEY } from '../sessions/signing-key.js'
import { makeTopics } from './sample-records.js'

/** Only `sign` signs: no test waits for a clock. */
const NEVER_MS = 2 ** 31 - 1

export const topics = topicsOf()

export interface ProofWorld {
  /** Not made yet. */
  readonly folder: string
  readonly keyFile: string
  readonly key: SigningKey
  readonly publicKey: PublicKey
  readonly log: EventLog
  start(options?: Partial<RecorderOptions>): Promise<Recorder>
  /** Records everything that is in the log, and signs it. */
  record(options?: Partial<RecorderOptions>): Promise<void>
  /** The lines of a tree's file. */
  lines(tree: string): Promise<readonly string[]>
  entries(tree: string): Promise<readonly Entry[]>
}

/** A key, a place for proofs, and a log in this process with the topics of a deployment. */
export async function createProofWorld(t: {
  after(release: () => Promise<void>): void
}): Promise<ProofWorld> {
  const base = await mkdtemp(path.join(tmpdir(), 'plimsoll-proof-'))
  t.after(() => rm(base, { recursive: true }))
  const keyFile = path.join(base, 'key.pem')
  await writeKeyPair(keyFile)
  const key = await readSigningKey(keyFile)
  const log = createEmbeddedLog()
  t.after(() => log.close())
  await makeTopics(log, topics)
  const folder = path.join(base, 'proofs')
  const start: ProofWorld['start'] = (options = {}) =>
    startRecorder({
      log,
      topics,
      folder,
      key,
      signingKey: SIGNING_KEY,
      checkpointMs: NEVER_MS,
      metrics: createProofMetrics(noMetrics),
      logger: silentLogger,
      ...options,
    })
  const lines: ProofWorld['lines'] = async (tree) =>
    (await readFile(fileOf(folder, tree), 'utf8')).split('\n').slice(0, -1)
  return {
    folder,
    keyFile,
    key,
    publicKey: await readPublicKey(publicFileOf(keyFile)),
    log,
    start,
    record: async (options) => {
      const recorder = await start(options)
      await recorder.caughtUp
      await recorder.close()
    },
    lines,
    entries: async (tree) =>
      (await lines(tree)).map((line) => JSON.parse(line) as Entry).filter((entry) => 'leaf' in entry),
  }
}
