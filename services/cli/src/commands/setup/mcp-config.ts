import { rm, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { PlimsollError } from '@plimsoll/contracts'
import {
  type Context,
  type ExitCode,
  type Values,
  defineCommand,
  flag,
  json,
  list,
  maybeChoice,
  text,
} from '../../command.js'
import { readRelease } from '../../format/terminal.js'
import { jsonLine, leftTable, plainLines, shellWord } from '../../format/text.js'
import { CLIENTS, type Place, configFile } from './client-files.js'
import { ownCommand } from '../../own-command.js'
import { type ConfigText, parseConfigText, unwrapEntries, withEntry, wrapEntries } from './config-text.js'
import { type Entry, obstacleOf, wrappedIn } from './entry.js'
import { diffOf, readWithCopy } from './kept-copy.js'
import { launcherOf } from './launcher.js'
import { proxyArgs, proxyOptions } from './proxy-options.js'
import { replaceFile } from './replace-file.js'

const fileOptions = {
  client: maybeChoice(CLIENTS, "the client; its project's file comes before its user's"),
  file: text('FILE', 'the configuration itself; default: the only configuration found'),
  dryRun: flag('shows the change, and writes nothing'),
  json,
}

export const placeOf = (env: Context['env']): Place => ({
  platform: process.platform,
  home: env['HOME'] ?? homedir(),
  cwd: process.cwd(),
  env,
})

export const ownLauncher = (env: Context['env']) =>
  launcherOf({
    execPath: process.execPath,
    script: process.argv[1] ?? '',
    searchPath: env['PATH'] ?? '',
    release: readRelease(),
  })

/** A client's configuration, and the copy of it as it was before Plimsoll. */
interface ConfigFiles {
  readonly file: string
  readonly config: ConfigText
  readonly isNew: boolean
  readonly mark: string
  readonly backupFile: string
  readonly backup: ConfigText | undefined
}

async function readConfig(file: string): Promise<ConfigFiles> {
  const { text, mark, copyFile, copy } = await readWithCopy(file, '.plimsoll-backup')
  return {
    file,
    config: parseConfigText(text ?? '', file),
    isNew: text === undefined,
    mark,
    backupFile: copyFile,
    backup: copy === undefined ? undefined : parseConfigText(copy, copyFile),
  }
}

interface Outcome {
  readonly server: string
  readonly outcome: string
}

type Report = Pick<Values<typeof fileOptions>, 'dryRun' | 'json'>

/** Writes the changed configuration unless nothing has changed, and shows what was done. */
async function finish(
  files: ConfigFiles,
  after: ConfigText,
  outcomes: readonly Outcome[],
  { dryRun, json, notes = [] }: Report & { readonly notes?: readonly string[] },
  { stdout }: Context,
): Promise<ExitCode> {
  const { file, config } = files
  const isChanged = after.text !== config.text
  const diff = isChanged ? diffOf(file, config.text, after.text) : ''
  const backup = dryRun || !isChanged ? undefined : await write(files, after)
  if (json) {
    stdout.write(
      jsonLine({ file, changed: isChanged, written: isChanged && !dryRun, backup, servers: outcomes }),
    )
    return 0
  }
  const rows = outcomes.map(({ server, outcome }) => [server, outcome])
  const lines = [
    ...(backup === undefined ? [] : [`the file as it was: ${backup}`]),
    ...(isChanged && !dryRun ? ['restart the client, or reload its servers, to use it', ...notes] : []),
    ...(isChanged ? [] : [outcomes.length > 0 ? 'nothing to change' : idleText(config)]),
    ...(isChanged && dryRun ? ['nothing was written'] : []),
  ]
  stdout.write(plainLines(`${file}\n`))
  stdout.write(leftTable(rows, '  '))
  if (dryRun) stdout.write(plainLines(diff))
  stdout.write(plainLines(`${lines.join('\n')}\n`))
  return 0
}

const idleText = ({ key, entries }: ConfigText): string =>
  Object.keys(entries).length > 0
    ? 'nothing to change: no server is behind Plimsoll'
    : `nothing to change: there are no servers in \`${key}\`; \`plimsoll mcp add\` adds one`

/** The name of the copy that is kept; undefined if none is needed. */
async function write(files: ConfigFiles, after: ConfigText): Promise<string | undefined> {
  const { file, mark, isNew, backupFile, backup } = files
  const isWrapped = Object.values(after.entries).some((entry) => wrappedIn(entry))
  // The copy is always the file as it would be without Plimsoll, whatever was edited since.
  if (isWrapped && !isNew) {
    const { mode } = await stat(file)
    await replaceFile(backupFile, mark + bareText(files, after), mode & 0o777)
  }
  await replaceFile(file, mark + after.text)
  if (isWrapped) return isNew ? undefined : backupFile
  // Everything is as it was: the copy says nothing more.
  if (backup?.text === after.text) await rm(backupFile, { force: true })
  return undefined
}

/** The text before a change as it would be without Plimsoll, and without the servers that the change removes. */
function bareText({ config, backup }: ConfigFiles, after: ConfigText): string {
  const bare = unwrapEntries(config, Object.keys(config.entries), backup)
  const removed = Object.keys(bare.entries).filter((name) => !Object.hasOwn(after.entries, name))
  const left = removed.reduce((text, name) => withEntry(text, name, undefined), bare)
  return unwrapEntries(left, [], backup).text
}

/** The named servers, or all. Throws `usage_invalid` for a name that there is not. */
function chosen({ file, config }: ConfigFiles, names: readonly string[]): readonly string[] {
  const all = Object.keys(config.entries)
  const missing = names.find((name) => !all.includes(name))
  if (missing !== undefined)
    throw new PlimsollError(
      'usage_invalid',
      `\`${file}\` has no server \`${missing}\`: ${all.length > 0 ? `it has ${all.map((each) => `\`${each}\``).join(', ')}` : 'it has none'}`,
    )
  return names.length > 0 ? names : all
}

/** A command about the same configuration, as a person types it. */
function commandFor(
  words: readonly string[],
  { client, file }: Pick<Values<typeof fileOptions>, 'client' | 'file'>,
  { env }: Context,
): string {
  const place = [
    ...(client === undefined ? [] : ['--client', client]),
    ...(file === undefined ? [] : ['--file', file]),
  ]
  return `${ownCommand(env, process.cwd())} mcp ${[...words, ...place].map(shellWord).join(' ')}`
}

export const mcpWrap = defineCommand({
  name: 'mcp wrap',
  summary: "puts Plimsoll before the MCP servers of a client's configuration",
  description:
    'Changes the entries of Claude Desktop, Claude Code, Cursor or VS Code so that each starts `plimsoll mcp` by its absolute path, with the server behind it. Variables, headers, folders, inputs and comments stay. Keeps the file as it was beside it. Run it again with other options to change them; without a change it writes nothing.',
  operands: [['[NAME...]', 'the servers; default: all']],
  options: { ...fileOptions, ...proxyOptions },
  examples: [
    ['--client claude-desktop --observe', 'all servers of Claude Desktop, observing for the first week'],
    ['--client claude-desktop', 'and after it: enforcing'],
    ['--file .vscode/mcp.json --dry-run slack', 'what would change for one server'],
  ],
  async run(options, names, context) {
    const place = placeOf(context.env)
    const files = await readConfig(configFile({ ...options, mayBeNew: false }, place))
    const { config, backup } = files
    const wanted = chosen(files, names)
    const obstacles = new Map(
      wanted.map((name) => [name, obstacleOf(config.entries[name] ?? {}, names.length > 0)]),
    )
    const able = wanted.filter((name) => obstacles.get(name) === undefined)
    const launcher = ownLauncher(context.env)
    const bare = unwrapEntries(config, able, backup)
    const after = wrapEntries(bare, able, launcher, await proxyArgs(options, place.cwd))
    const outcomes = wanted.map((server) => ({
      server,
      outcome: obstacles.get(server) ? `left as it is: ${obstacles.get(server)}` : 'behind Plimsoll',
    }))
    const unchanged = sameEntries(after, config, able) ? config : after
    const undo = commandFor(['unwrap'], options, context)
    const notes = [
      `\`${undo}\` restores the old entries`,
      ...(launcher.note === undefined ? [] : [launcher.note]),
    ]
    return finish(files, unchanged, outcomes, { ...options, notes }, context)
  },
})

/** Whether two texts say the same of the servers `names`. */
const sameEntries = (one: ConfigText, other: ConfigText, names: readonly string[]): boolean =>
  names.every(
    (name) => JSON.stringify(sorted(one.entries[name])) === JSON.stringify(sorted(other.entries[name])),
  )

const sorted = (entry: Entry = {}): unknown => Object.entries(entry).toSorted(([a], [b]) => (a < b ? -1 : 1))

export const mcpUnwrap = defineCommand({
  name: 'mcp unwrap',
  summary: 'takes Plimsoll away from the MCP servers of a configuration',
  description:
    'Each server is as it was before `plimsoll mcp wrap`, byte for byte where the copy of the file has it. What else was edited since stays.',
  operands: [['[NAME...]', 'the servers; default: all']],
  options: fileOptions,
  examples: [
    ['--client cursor', 'all servers of Cursor'],
    ['--file .vscode/mcp.json slack', 'one server of a file'],
  ],
  async run(options, names, context) {
    const files = await readConfig(configFile({ ...options, mayBeNew: false }, placeOf(context.env)))
    const wanted = chosen(files, names).filter((name) => wrappedIn(files.config.entries[name] ?? {}))
    const after = unwrapEntries(files.config, wanted, files.backup)
    const outcomes = wanted.map((server) => ({
      server,
      outcome: wrappedIn(after.entries[server] ?? {})
        ? 'left as it is: it starts Plimsoll with servers of its own'
        : 'without Plimsoll',
    }))
    return finish(files, after, outcomes, options, context)
  },
})

export const mcpAdd = defineCommand({
  name: 'mcp add',
  summary: "adds an MCP server behind Plimsoll to a client's configuration",
  description:
    'Writes an entry that starts `plimsoll mcp` by its absolute path, with your server behind it. Creates the file if the client has none. A server of that name is not replaced.',
  operands: [
    ['<NAME>', 'the name of the server in the client'],
    ['[COMMAND...]', 'after `--`, its command, or its URL'],
  ],
  options: {
    ...fileOptions,
    ...proxyOptions,
    env: list('NAME=VALUE', 'a variable for the server'),
    undo: flag('removes the server again'),
  },
  examples: [
    [
      '--client claude-desktop files -- npx -y @modelcontextprotocol/server-filesystem /srv',
      'a server of files for Claude Desktop',
    ],
    [
      '--client vscode slack --env SLACK_BOT_TOKEN=${input:token} -- npx -y @modelcontextprotocol/server-slack',
      'with a variable that VS Code asks for',
    ],
    ['--client claude-desktop --undo files', 'removes it'],
  ],
  async run(options, [name = '', ...command], context) {
    const place = placeOf(context.env)
    const files = await readConfig(configFile({ ...options, mayBeNew: !options.undo }, place))
    const { config, file } = files
    const existing = config.entries[name]
    if (options.undo) {
      chosen(files, [name])
      if (!wrappedIn(existing ?? {}))
        throw new PlimsollError('usage_invalid', `\`${name}\` is not behind Plimsoll: remove it yourself`)
      const without = unwrapEntries(withEntry(config, name, undefined), [], files.backup)
      return finish(files, without, [{ server: name, outcome: 'removed' }], options, context)
    }
    if (command.length === 0)
      throw new PlimsollError('usage_invalid', 'give the command of the server, or its URL, after `--`')
    const launcher = ownLauncher(context.env)
    const [first = '', ...args] = command
    const isUrl = command.length === 1 && /^https?:\/\//i.test(first)
    const env = variablesIn(options.env)
    const bare: Entry = {
      ...(config.key === 'servers' && { type: isUrl ? 'http' : 'stdio' }),
      ...(isUrl ? { url: first } : { command: first, args }),
      ...(Object.keys(env).length > 0 && { env }),
    }
    const added = withEntry(config, name, bare)
    const after = wrapEntries(added, [name], launcher, await proxyArgs(options, place.cwd))
    if (existing && !sameEntries(after, config, [name]))
      throw new PlimsollError(
        'usage_invalid',
        `\`${file}\` has a server \`${name}\` already: \`${commandFor(['wrap', name], options, context)}\` puts Plimsoll before it`,
      )
    const notes = [
      `\`${commandFor(['add', '--undo', name], options, context)}\` removes it again`,
      ...(launcher.note === undefined ? [] : [launcher.note]),
    ]
    const outcomes = [{ server: name, outcome: 'behind Plimsoll' }]
    return finish(files, existing ? config : after, outcomes, { ...options, notes }, context)
  },
})

/** Throws `usage_invalid`. */
function variablesIn(given: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    given.map((each) => {
      const [, name, value] = /^([A-Za-z_]\w*)=(.*)$/s.exec(each) ?? []
      if (name !== undefined && value !== undefined) return [name, value]
      throw new PlimsollError('usage_invalid', `\`--env ${each}\`: expected \`NAME=VALUE\``)
    }),
  )
}
