import { randomBytes } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import path from 'node:path'
import { type KeptApprovals, createKeptApprovals } from '@plimsoll/client/services'
import { PlimsollError } from '@plimsoll/contracts'
import { assertOwn, setting } from '@plimsoll/runtime'
import { failureText } from './format/text.js'

/** Where commands keep what must outlive them. */
export const stateSettings = {
  stateFolder: setting.text({
    env: 'PLIMSOLL_STATE_DIR',
    doc: 'Folder of what `plimsoll mcp` and `plimsoll hook` keep on this machine: approval requests, what sessions have read (no texts), decisions that were observed or that stopped something, appeals. Default: `plimsoll` in `XDG_STATE_HOME`, `LOCALAPPDATA` or `~/.local/state`.',
  }),
}

/** The folder of this user's state. Throws `config_invalid` if there is no home. */
export function stateFolderOf(env: Readonly<Record<string, string | undefined>>): string {
  const { PLIMSOLL_STATE_DIR: own, XDG_STATE_HOME: state, LOCALAPPDATA: local } = env
  if (own) return own
  const base = state || local || (homedir() && path.join(homedir(), '.local', 'state'))
  if (base) return path.join(base, 'plimsoll')
  throw new PlimsollError(
    'config_invalid',
    'there is no home folder: set `PLIMSOLL_STATE_DIR` to a folder of yours',
  )
}

/** The approvals of this user for all sessions of `plimsoll mcp`. Throws `config_invalid` if there is no home. */
export function keptApprovals(env: Readonly<Record<string, string | undefined>>): KeptApprovals {
  const folder = path.join(stateFolderOf(env), 'approvals', 'always')
  return createKeptApprovals({ folder, key: () => readUserKey(folder) })
}

/**
 * A key that only this user can read, in `folder`: 64 hexadecimal digits, made at the first use. Rejects with `config_invalid` if the
 * folder cannot be used, and if others may have made the key, or can read it.
 */
export async function readUserKey(folder: string): Promise<string> {
  try {
    return await keyIn(folder)
  } catch (cause) {
    if (cause instanceof PlimsollError) throw cause
    throw new PlimsollError(
      'config_invalid',
      `the folder \`${folder}\` cannot be used (${failureText(cause)}): set \`PLIMSOLL_STATE_DIR\` to a folder of yours`,
      { cause },
    )
  }
}

const OWN_FOLDER = 'set `PLIMSOLL_STATE_DIR` to a folder that only you can use'

async function keyIn(folder: string): Promise<string> {
  const file = path.join(folder, 'key')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const known = await readFile(file, 'utf8').catch(ignoring('ENOENT'))
  if (known === undefined) {
    const draft = `${file}.${randomBytes(6).toString('hex')}`
    await writeFile(draft, randomBytes(32).toString('hex'), { mode: 0o600, flag: 'wx' })
    // Whole at once, and only if no other process was faster.
    await link(draft, file).catch(ignoring('EEXIST'))
    await rm(draft)
  }
  await assertOwn(folder, 0o022, OWN_FOLDER)
  await assertOwn(file, 0o077, OWN_FOLDER)
  const key = known ?? (await readFile(file, 'utf8'))
  if (/^[0-9a-f]{64}$/.test(key)) return key
  throw new PlimsollError('config_invalid', `\`${file}\` is no key: remove it, and a new one is made`)
}

const ignoring =
  (code: string) =>
  (error: NodeJS.ErrnoException): undefined => {
    if (error.code !== code) throw error
  }
