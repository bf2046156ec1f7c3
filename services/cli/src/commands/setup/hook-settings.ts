import { createHash } from 'node:crypto'
import { tmpdir, userInfo } from 'node:os'
import path from 'node:path'
import { PlimsollError } from '@plimsoll/contracts'
import { HOOK_CLIENTS, type HookSettings } from '@plimsoll/hooks'
import { readDocument } from '@plimsoll/policy'
import { type Context, type Values, catalogueOption, choice, flag, text } from '../../command.js'
import { readRelease } from '../../format/terminal.js'
import { isInNpxCache } from '../../own-command.js'
import { stateFolderOf } from '../../user-state.js'
import { launcherOf } from './launcher.js'

/** The operand of commands about one client. */
export const CLIENT = ['<CLIENT>', 'the coding agent', HOOK_CLIENTS.map(({ name }) => name)] as const

/** Options of hooks, which their service gets. */
export const hookOptions = {
  decide: choice(
    ['here', 'gateway'] as const,
    'where verdicts come from: this machine, or a gateway',
    'here',
  ),
  observe: flag('stops and asks nothing, and records what it would have done; `plimsoll observed` shows it'),
  policy: text('FILE', 'the policy; default: the shipped one'),
  catalogue: catalogueOption,
  failOpen: flag(
    'lets every call run if Plimsoll cannot answer; default: calls that could do harm are asked or stopped',
  ),
}

export interface HookSettingsOptions extends Values<typeof hookOptions> {
  readonly client: string
  readonly env: Context['env']
  readonly cwd: string
  /** What distinguishes two installations for one client. Default: none. */
  readonly scope?: string
}

/** Socket addresses are no longer: 104 bytes on macOS. */
const SOCKET_BYTES_MAX = 100

const digest = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 12)

/**
 * The settings of a client's hook, and the file that they belong into. Hooks with the same options share a service. Rejects with
 * `document_invalid` if a document cannot be read, and with `usage_invalid` if Plimsoll runs from the cache of npx.
 */
export async function hookSettings({
  client,
  env,
  cwd,
  scope = '',
  decide,
  observe,
  failOpen,
  ...files
}: HookSettingsOptions): Promise<{ readonly settings: HookSettings; readonly file: string }> {
  const policy = files.policy === undefined ? [] : [path.resolve(cwd, files.policy)]
  const catalogues = files.catalogue.map((file) => path.resolve(cwd, file))
  for (const file of policy) await readDocument('policy', file)
  for (const file of catalogues) await readDocument('catalogue', file)
  const options = [
    ...(decide === 'gateway' ? ['--decide', decide] : []),
    ...(observe ? ['--observe'] : []),
    ...policy.flatMap((file) => ['--policy', file]),
    ...catalogues.flatMap((file) => ['--catalogue', file]),
  ]
  const folder = path.resolve(stateFolderOf(env), 'hooks')
  const { node, script } = ownProgram(env)
  const socket = socketIn(folder, digest([options, script]))
  const settings: HookSettings = {
    schema: 1,
    kind: 'plimsoll.hook',
    client,
    node,
    script,
    options: ['--socket', socket, ...options],
    socket,
    log: path.join(folder, `${client}.log`),
    failOpen,
  }
  return { settings, file: path.join(folder, `${client}-${digest([client, scope])}.json`) }
}

/** Throws `usage_invalid` where npm may remove the script. */
function ownProgram(env: Context['env']): { readonly node: string; readonly script: string } {
  const script = process.argv[1] ?? ''
  if (isInNpxCache(script))
    throw new PlimsollError(
      'usage_invalid',
      'hooks need a Plimsoll that stays: `npm install --global plimsoll`, then the same command without `npx`',
    )
  const { command } = launcherOf({
    execPath: process.execPath,
    script,
    searchPath: env['PATH'] ?? '',
    release: readRelease(),
  })
  return { node: command, script }
}

function socketIn(folder: string, name: string): string {
  if (process.platform === 'win32') return `\\\\.\\pipe\\plimsoll-${digest([userInfo().username, name])}`
  const socket = path.join(folder, `${name}.sock`)
  if (Buffer.byteLength(socket) <= SOCKET_BYTES_MAX) return socket
  return path.join(tmpdir(), `plimsoll-${process.getuid?.() ?? 0}`, `${name}.sock`)
}
