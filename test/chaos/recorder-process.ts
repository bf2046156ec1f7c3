/**
 * A recorder in a separate process, over a log of this process that always has the same records. It kills itself at one point of what it
 * writes. Its one argument is JSON, see RecorderProcess.
 */
import { open, type FileHandle } from 'node:fs/promises'
import { topicsOf } from '@plimsoll/contracts'
import { createProofMetrics, readSigningKey, startRecorder } from '@plimsoll/proof'
import { noMetrics, silentLogger } from '@plimsoll/runtime'
import { createEmbeddedLog } from '@plimsoll/runtime/embedded'
import { makeTopics, writeSessions } from '../support/proof/sample-records.js'
import { SIGNING_KEY } from '../support/sessions/signing-key.js'
import type { Moment, RecorderProcess } from './recorder-moments.js'

const given = JSON.parse(process.argv[2] ?? '{}') as RecorderProcess
let passes = 0

/** Ends the process at its moment, and then never resolves. */
async function meetFate(moment: Moment): Promise<void> {
  if (given.fate?.moment !== moment || ++passes !== given.fate.nth) return
  process.kill(process.pid, 'SIGKILL')
  await new Promise(() => undefined)
}

/** Handles of files tell of each write. */
async function watchWrites(): Promise<void> {
  const sample = await open(given.keyFile)
  const handles = Object.getPrototypeOf(sample) as Pick<FileHandle, 'writeFile' | 'datasync'>
  await sample.close()
  const { writeFile, datasync } = handles
  handles.writeFile = async function (this: FileHandle, text) {
    const whole = String(text)
    const isProgress = whole.startsWith('{"schema"')
    const half = whole.slice(0, whole.length / 2)
    await writeFile.call(this, half)
    await meetFate(isProgress ? 'half of the progress' : 'half of the lines')
    await writeFile.call(this, whole.slice(half.length))
    await meetFate(isProgress ? 'the progress' : 'the lines')
  }
  handles.datasync = async function (this: FileHandle) {
    await datasync.call(this)
    await meetFate('the synced lines')
  }
}

const topics = topicsOf()
const log = createEmbeddedLog()
await makeTopics(log, topics)
await writeSessions(log, topics, given.sessions, given.steps)
await watchWrites()
const recorder = await startRecorder({
  log,
  topics,
  folder: given.folder,
  key: await readSigningKey(given.keyFile),
  signingKey: SIGNING_KEY,
  checkpointMs: 2 ** 31 - 1,
  metrics: createProofMetrics(noMetrics),
  logger: silentLogger,
})
await recorder.sign()
await recorder.caughtUp
await recorder.sign()
await recorder.close()
await log.close()
