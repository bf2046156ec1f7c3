import { createReadStream, createWriteStream, mkdirSync, renameSync, statSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { type Decision, PlimsollError, decisionSchema, parseJson } from '@plimsoll/contracts'
import { stateFolderOf } from './user-state.js'

/** A file of decisions is set aside at this size, in place of the one set aside before. */
const BYTES_MAX = 64 * 2 ** 20

/** The file of decisions of `plimsoll mcp --observe`, one for each user of the machine. */
export const decisionsFile = (env: Readonly<Record<string, string | undefined>>): string =>
  path.join(stateFolderOf(env), 'decisions.jsonl')

/** The file of what was stopped or asked on this machine, by which `plimsoll appeal` finds it. */
export const stoppedFile = (env: Readonly<Record<string, string | undefined>>): string =>
  path.join(stateFolderOf(env), 'stopped.jsonl')

/** Records steps that were stopped or asked about. The file is made with the first. */
export function createStoppedRecorder(file: string) {
  let recorder: ReturnType<typeof createRecorder> | undefined
  return {
    add: (decision: Decision): void => {
      if (decision.kind !== 'step' || decision.mode !== 'enforce') return
      if (decision.verdict === 'confirm' || decision.verdict === 'block')
        (recorder ??= createRecorder(file)).add(decision)
    },
    close: async (): Promise<void> => recorder?.close(),
  }
}

/** Where a file of decisions is set aside when it is full. */
const olderOf = (file: string): string => `${file}.1`

/**
 * Adds decisions to a file, a JSON document a line. They hold no texts of steps: no arguments and no results. Several processes may add to
 * one file. Throws `usage_invalid` if it cannot be written.
 */
export function createRecorder(file: string) {
  try {
    mkdirSync(path.dirname(path.resolve(file)), { recursive: true, mode: 0o700 })
    if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > BYTES_MAX) renameSync(file, olderOf(file))
  } catch (cause) {
    throw new PlimsollError('usage_invalid', `\`${file}\` cannot be written`, { cause })
  }
  const stream = createWriteStream(file, { flags: 'a', mode: 0o600 })
  // A full disk must not end a session; it is said once.
  stream.on('error', (error) => process.emitWarning(`plimsoll: decisions are not recorded: ${error.message}`))
  return {
    add: (decision: Decision): void => {
      if (!stream.errored) stream.write(`${JSON.stringify(decision)}\n`)
    },
    close: (): Promise<void> =>
      new Promise((resolve) => {
        if (stream.errored) resolve()
        else stream.end(resolve)
      }),
  }
}

/** Calls `onDecision` for each decision in `file` and in what was set aside before. Rejects with `usage_invalid` if there is no such file. */
export async function readDecisions(file: string, onDecision: (decision: Decision) => void): Promise<void> {
  const found = [olderOf(file), file].filter((each) => statSync(each, { throwIfNoEntry: false })?.isFile())
  if (found.length === 0)
    throw new PlimsollError(
      'usage_invalid',
      `nothing is recorded in \`${file}\`: \`plimsoll mcp --observe\` records there when an agent calls a tool; after \`mcp wrap --observe\`, restart the client`,
    )
  for (const each of found)
    for await (const line of createInterface({ input: createReadStream(each), crlfDelay: Infinity })) {
      const { data } = decisionSchema.safeParse(parseJson(line))
      // A process that was ended may leave a part of a line.
      if (data) onDecision(data)
    }
}
