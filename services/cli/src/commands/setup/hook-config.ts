import { isDeepStrictEqual } from 'node:util'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { readObject, writePrivate } from '@plimsoll/client/services'
import { PlimsollError } from '@plimsoll/contracts'
import { type HookSettings, findHookClient, hookProgram } from '@plimsoll/hooks'
import { type Context, defineCommand, environmentOf, flag } from '../../command.js'
import { plainLines, shellWord } from '../../format/text.js'
import { ownCommand } from '../../own-command.js'
import { stateFolderOf, stateSettings } from '../../user-state.js'
import {
  type FileChange,
  applyChange,
  createdBy,
  isChanged,
  planInstall,
  planUninstall,
  removeEmptyFolders,
} from './hook-files/file-changes.js'
import { HOOK_PLACES, type Hook, type HookPlace } from './hook-places.js'
import { CLIENT, hookOptions, hookSettings } from './hook-settings.js'
import { diffOf, textIn } from './kept-copy.js'
import { placeOf } from './mcp-config.js'

const placeOptions = {
  project: flag("changes this folder's configuration of the agent; default: your own"),
  dryRun: flag('shows what would change, and writes nothing'),
}

/** The settings of a hook, with what was made for it. */
interface InstalledHook extends HookSettings {
  /** Files and folders of the client's configuration. */
  readonly created: readonly string[]
}

const createdIn = (settings: Partial<InstalledHook> | undefined): readonly string[] => settings?.created ?? []

/** A client, and where its hooks go. */
interface Target {
  readonly title: string
  readonly place: HookPlace
  /** The file or the folder of the hooks. */
  readonly at: string
  /** The folder of hooks' settings: a command that names it is Plimsoll's. */
  readonly settingsFolder: string
}

/** Throws `usage_invalid` for a client that has no hooks. */
function targetOf(client: string, isProject: boolean, env: Context['env']): Target {
  const title = findHookClient(client)?.title
  const place = HOOK_PLACES.find((each) => each.client === client)
  if (title === undefined || !place)
    throw new PlimsollError(
      'usage_invalid',
      `there is no coding agent \`${client}\`: choose ${CLIENT[2].join(', ')}`,
    )
  const where = placeOf(env)
  return {
    title,
    place,
    at: (isProject ? place.project : place.user)(where),
    settingsFolder: path.resolve(stateFolderOf(env), 'hooks'),
  }
}

/** Whether a text starts the hook with settings of the folder, however a shell or JSON quotes it. */
const namesFolder = (folder: string) => (text: string) => {
  const forms = [text, text.replaceAll(String.raw`'\''`, "'"), text.replaceAll("''", "'")]
  return [...forms, ...forms.map((form) => form.replaceAll('\\\\', '\\'))].some((form) =>
    form.includes(folder + path.sep),
  )
}

/** The command that undoes or repeats what was done, as a person types it. */
const commandFor = (words: readonly string[], isProject: boolean, env: Context['env']): string =>
  `${ownCommand(env, process.cwd())} hook ${[...words, ...(isProject ? ['--project'] : [])].map(shellWord).join(' ')}`

function report(
  changes: readonly FileChange[],
  dryRun: boolean,
  notes: readonly string[],
  { stdout }: Context,
): void {
  const changed = changes.filter(isChanged)
  const lines = changed.flatMap(({ file, before = '', after, copyFile, copy }) => [
    after === undefined ? `${file}: removed` : file,
    ...(copy !== undefined && after !== undefined ? [`the file as it was: ${copyFile}`] : []),
    ...(dryRun ? [diffOf(file, before, after ?? '')] : []),
  ])
  stdout.write(plainLines(`${[...lines, ...(dryRun ? ['nothing was written'] : notes)].join('\n')}\n`))
}

export const hookInstall = defineCommand({
  name: 'hook install',
  summary: 'puts Plimsoll in front of a coding agent, as its hook',
  description:
    'Changes the configuration of the agent so that it asks Plimsoll before each call of a tool. Comments and other hooks stay. Keeps the file as it was beside it. Run it again with other options to change them; without a change it writes nothing.',
  operands: [CLIENT],
  options: { ...placeOptions, ...hookOptions },
  environment: environmentOf(stateSettings),
  examples: [
    ['claude-code --observe', 'Claude Code in all folders, observing for the first week'],
    ['codex --project', 'Codex in this folder'],
    ['cursor --policy plimsoll/policy.yaml', 'with a policy of your own'],
  ],
  async run(options, [client = ''], context) {
    const { env } = context
    const { project: isProject, dryRun } = options
    const { title, place, at, settingsFolder } = targetOf(client, isProject, env)
    const cwd = process.cwd()
    const { settings, file } = await hookSettings({
      ...options,
      client,
      env,
      cwd,
      scope: isProject ? cwd : '',
    })
    const settingsFile = path.resolve(file)
    const known = await readObject(settingsFile)
    const hook: Hook = {
      words: [settings.node, fileURLToPath(hookProgram), settingsFile],
      failOpen: settings.failOpen,
      isProject,
      platform: process.platform,
    }
    const created = new Set(createdIn(known))
    const changes: FileChange[] = []
    for (const each of place.files(at, hook))
      changes.push(await planInstall(each, namesFolder(settingsFolder), created))
    for (const each of changes.flatMap(createdBy)) created.add(each)
    const installed: InstalledHook = { ...settings, created: [...created] }
    const hasNewSettings = !isDeepStrictEqual(known, JSON.parse(JSON.stringify(installed)))
    if (!dryRun) {
      if (hasNewSettings) await writePrivate(settingsFile, installed)
      for (const change of changes.filter(isChanged)) await applyChange(change)
    }
    const isSame = !changes.some(isChanged)
    const notes = isSame
      ? [hasNewSettings ? 'the options are changed, from the next call on' : 'nothing to change']
      : [
          ...(isProject && place.isShared
            ? ['what was written holds paths of this machine: keep it out of version control']
            : []),
          ...place.limits.map((limit) => `${title} ${limit}`),
          `next: ${place.next}`,
          `\`${commandFor(['uninstall', client], isProject, env)}\` undoes it`,
        ]
    report(changes, dryRun, notes, context)
    return 0
  },
})

export const hookUninstall = defineCommand({
  name: 'hook uninstall',
  summary: 'takes Plimsoll away from a coding agent',
  description:
    'The configuration of the agent is as it was before `plimsoll hook install`, byte for byte if nothing else was edited since. Other edits stay.',
  operands: [CLIENT],
  options: placeOptions,
  environment: environmentOf(stateSettings),
  examples: [
    ['claude-code', 'removes the hooks of your own configuration'],
    ['codex --project --dry-run', "what would change in this folder's"],
  ],
  async run({ project: isProject, dryRun }, [client = ''], context) {
    const { title, place, at, settingsFolder } = targetOf(client, isProject, context.env)
    // What the hooks were does not matter: the folder of their settings marks them.
    const files = place.files(at, { words: [], failOpen: false, isProject, platform: process.platform })
    const isOwn = namesFolder(settingsFolder)
    const settingsFiles = new Set<string>()
    for (const { file } of files)
      for (const name of namesIn((await textIn(file)) ?? '', client))
        settingsFiles.add(path.join(settingsFolder, name))
    const created = new Set<string>()
    for (const file of settingsFiles) for (const each of createdIn(await readObject(file))) created.add(each)
    const changes: FileChange[] = []
    for (const each of files) changes.push(await planUninstall(each, isOwn, created))
    if (!dryRun) {
      for (const change of changes.filter(isChanged)) await applyChange(change)
      for (const file of changes.some(isChanged) ? settingsFiles : []) await rm(file, { force: true })
      await removeEmptyFolders([...created, settingsFolder])
    }
    const notes = changes.some(isChanged)
      ? [`restart ${title}`]
      : [`nothing to change: there are no hooks of Plimsoll in ${at}`]
    report(changes, dryRun, notes, context)
    return 0
  },
})

/** The names of settings files of a client's hooks in a text. */
const namesIn = (text: string, client: string): readonly string[] =>
  text.match(new RegExp(String.raw`\b${client}-[0-9a-f]{12}\.json\b`, 'g')) ?? []
