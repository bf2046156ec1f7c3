import { longPattern, readSet } from '../../../text/data.js'
import { type Effects, does, raise } from '../../effects.js'
import { actsOn, actsOnUnnamed, namesOfPath, wordsIn } from '../../objects.js'
import { PATH_KINDS, holdsGuards, opensDoor, pathKindOf } from '../../paths.js'
import { SHELL_STARTUP } from '../../runs-later.js'
import { type Call, hasOption } from '../call.js'
import { asEntered } from '../own-folders.js'
import { raiseIrreversible } from './irreversible.js'

/** Files by which a system starts programs. */
const UNIT = longPattern('doors.UNIT')

/** Records writes to files that control access: `authorized_keys`, `sudoers`, `/etc/passwd`, a crontab, an agent's settings. */
export function noteDoor(given: string, effects: Effects): void {
  const path = asEntered(given, effects)
  if (/\/(?:sources\.list\.d|yum\.repos\.d)\//.test(path)) {
    actsOn(effects, 'persist', { kind: 'path', names: namesOfPath(path), thing: path, byName: true })
  }
  if (pathKindOf(path) === PATH_KINDS.guard) noteSettings(path, effects)
  if (path.length <= STORE_MAX && CREDENTIAL_STORE.test(path)) noteStore(path, effects)
  if (/[\\/]hooks[\\/][\w-]{1,64}$/.test(path) && /\.git[\\/]/.test(path)) {
    actsOn(effects, 'persist', {
      kind: 'path',
      byName: true,
      names: ['hook', path.split(/[\\/]/).at(-1) ?? ''],
      thing: path,
    })
  }
  if (/(?:^|[\\/])\.git[\\/]config$/.test(path)) {
    raiseIrreversible('grant', 'settings of git, which may start programs, are written', effects)
    actsOn(effects, 'persist', { kind: 'setting', byName: true, names: OF_GIT, thing: path })
  }
  if (UNIT.test(path) && opensDoor(path))
    actsOn(effects, 'persist', {
      kind: 'path',
      byName: true,
      names: [
        'systemd',
        'unit',
        'timer',
        'launchd',
        ...wordsIn((path.split(/[\\/]/).at(-1) ?? '').replace(/\.\w+$/, '')),
      ],
      thing: path,
    })
  // A hook that a project keeps is judged as a pipeline.
  if (/\.husky[\\/]/.test(path)) return
  if (opensDoor(path) || pathKindOf(path) === PATH_KINDS.guard)
    raiseIrreversible('grant', 'output that goes to what lets others in', effects)
}

/** Words by which tasks name a repository's settings. */
const OF_GIT = [...readSet('shell', 'ofGit')]

/** What a shell runs when it starts, in a home. */
const STARTUP = longPattern('doors.STARTUP')

/** Records that what a shell runs when it starts is replaced: what stood there is lost, and whatever stands there now runs. */
export function noteReplacedStartup(given: string, effects: Effects): void {
  const path = asEntered(given, effects)
  if (!STARTUP.test(path)) return
  raiseIrreversible('overwrite', 'what a shell runs when it starts is replaced', effects)
  actsOn(effects, 'persist', {
    kind: 'path',
    byName: true,
    names: namesOfPath(path).slice(0, 4),
    thing: path,
  })
  actsOn(effects, 'change', { kind: 'path', names: namesOfPath(path), thing: path })
}

/**
 * Records a change of an agent's settings or hooks: only a task that names a hook, or the agent and its settings, asks for it, none for
 * Plimsoll's own.
 */
export function noteSettings(path: string, effects: Effects): void {
  const parts = path.split(/[\\/]/)
  const name = parts.at(-1) ?? ''
  const at = parts.findLastIndex((part) => AGENT_FOLDER.test(part))
  const agent = parts[at]?.replace(/^\./, '') ?? ''
  if (/plimsoll/i.test(path) || name.startsWith('.mcp') || agent === '')
    return actsOnUnnamed(effects, 'control', 'setting', 'control')
  const setting = { kind: 'setting', reach: 'control', thing: path, byName: true } as const
  const place = parts.slice(agent === 'goose' ? at - 1 : at).join('/')
  if (parts[at + 1] === 'hooks')
    return actsOn(effects, 'control', { ...setting, names: [name, 'hook', place] })
  actsOn(effects, 'control', { ...setting, names: [agent, place, ...ASKING] })
  actsOn(effects, 'control', { ...setting, names: ['settings', 'permissions', 'hooks', place] })
}
const AGENT_FOLDER = longPattern('doors.AGENT_FOLDER')
/** Words by which tasks name an agent's questions. */
const ASKING = ['asking', 'ask', 'prompting', 'prompts', 'permissions', 'approve', 'approval', 'allowlist']

/** Where a user's programs find their keys, below the home; longer paths are none. */
const STORE_MAX = 512
const CREDENTIAL_STORE = longPattern('doors.CREDENTIAL_STORE')
/** Words by which tasks name such a file. */
const OF_STORE = [...readSet('shell', 'storeWords')]

/** Records a change of what a user's programs log in with: a task that names the file, or what is kept there, asks for it. */
function noteStore(path: string, effects: Effects): void {
  raiseIrreversible('grant', 'what programs log in with is changed', effects, 'write')
  const place = path.split('/').slice(-2).join('/')
  actsOn(effects, 'control', {
    kind: 'setting',
    reach: 'control',
    byName: true,
    names: [place, place.replace(/^\./, ''), ...OF_STORE],
    thing: path,
  })
}

/** Records that a folder with settings or hooks of an agent, or with hooks of git, is no longer where it was. */
export function noteMoved(path: string, effects: Effects): void {
  noteDoor(path, effects)
  const place = asEntered(path, effects).replace(/\/+$/, '')
  if (holdsGuards(place)) {
    noteSettings(place, effects)
    raiseIrreversible('grant', 'a folder that says what an agent may do is moved', effects)
  }
  if (HOOKS.test(`${place}/`)) noteHooksOff(effects)
}

/** Records that the hooks of a project no longer check its commits. */
export function noteHooksOff(effects: Effects): void {
  raiseIrreversible('grant', 'a command by which hooks no longer run', effects)
  actsOn(effects, 'control', {
    kind: 'setting',
    reach: 'control',
    byName: true,
    names: ['hook', 'hooks', 'hookspath', 'core.hooksPath', 'husky'],
    thing: 'hooks of git',
  })
}

const FILES_MAX = 6

/** Records that `chmod` lets others write or read what decides who gets in, or keeps hooks from running. */
export function noteModes(call: Call, operands: readonly string[], effects: Effects): void {
  const [mode = '', ...paths] = operands
  if (opensTree(call, operands)) {
    raiseIrreversible('grant', 'a command that lets everybody write', effects)
    for (const path of paths.slice(0, FILES_MAX))
      actsOn(effects, 'grant', { kind: 'path', names: namesOfPath(path), thing: path })
  }
  if (CLOSES.test(mode))
    for (const path of paths)
      if (pathKindOf(asEntered(path, effects)) === PATH_KINDS.guard) noteDoor(path, effects)
  if (STOPS.test(call.args[0] ?? '') && call.args.slice(1).some((path) => HOOKS.test(path))) {
    noteHooksOff(effects)
  }
  if (paths.some((path) => opensAccess(mode, path)))
    raiseIrreversible('grant', 'a command that lays open what lets others in', effects)
}

/** Records that folders of a system get another owner, or let another user in: `chown -R me /etc`, `setfacl -R -m u:eve:rwx /srv`. */
export function noteOwners(call: Call, operands: readonly string[], effects: Effects): void {
  const paths = operands
    .slice(call.name === 'setfacl' ? 0 : 1)
    .filter((path) => path.includes('/') || path === '~')
  if (!hasOption(call, 'R', '--recursive') || !paths.some(isOfSystem)) return
  raiseIrreversible('grant', 'a command that says who owns folders of a system', effects)
  for (const path of paths.slice(0, FILES_MAX))
    actsOn(effects, 'grant', { kind: 'path', names: namesOfPath(path), thing: path })
}

/** Folders that a whole system works with, whatever the depth of those that hold what is served. */
const isOfSystem = (path: string): boolean => SYSTEM_FOLDER.test(path) || path === '~'

/** File modes that let everyone write: the last digit, or `o+w`, `a+rw`. */
const OPEN_MODE = longPattern('doors.OPEN_MODE')
/** File modes that let everyone read. */
const READ_MODE = longPattern('doors.READ_MODE')
/** `chmod -R 777` of folders of a system. */
const opensTree = (call: Call, operands: readonly string[]): boolean =>
  hasOption(call, 'R', '--recursive') &&
  OPEN_MODE.test(operands[0] ?? '') &&
  operands.slice(1).some((path) => pathKindOf(path) === PATH_KINDS.system || SERVED.test(path))

/** Modes by which its owner can no longer read a file. */
const CLOSES = longPattern('doors.CLOSES')
/** Modes by which a file can no longer be run, and where hooks lie. */
const STOPS = longPattern('doors.STOPS')
const HOOKS = longPattern('doors.HOOKS')

function opensAccess(mode: string, path: string): boolean {
  const isDoor = opensDoor(path)
  return (
    (isDoor && OPEN_MODE.test(mode)) ||
    (pathKindOf(path) === PATH_KINDS.credentials && (OPEN_MODE.test(mode) || READ_MODE.test(mode)))
  )
}

/** Records that every new shell runs something else from now on: a task that names the file, the shell or what is set there asks for it. */
export function noteShellStartup(path: string, text: string, effects: Effects): void {
  if (!SHELL_STARTUP.test(path) || effects.world?.isDisposable === true) return
  const name = path.split(/[\\/]/).at(-1) ?? path
  raise(
    effects,
    { capability: 'write', reversibility: 'irreversible' },
    'what every new shell runs is changed',
  )
  does(effects, 'grant')
  actsOn(effects, 'persist', {
    kind: 'setting',
    byName: true,
    names: [name, name.replace(/^\./, ''), ...OF_SHELLS, ...wordsIn(text.slice(0, 512)).slice(0, 8)],
    thing: path,
  })
}

/** Records that a tool writes a file in a home that programs read when they start: a task that names the file asks for it. */
export function noteStartupFile(path: string, text: string, effects: Effects): void {
  if (pathKindOf(path) !== PATH_KINDS.startup || !IN_HOME.test(path)) return
  if (SHELL_STARTUP.test(path)) return noteShellStartup(path, text, effects)
  const name = path.split(/[\\/]/).at(-1) ?? path
  does(effects, 'grant')
  actsOn(effects, 'persist', {
    kind: 'setting',
    byName: true,
    names: [name, name.replace(/^\./, '')],
    thing: path,
  })
}
const IN_HOME = longPattern('doors.IN_HOME')
const OF_SHELLS = 'path shell terminal profile alias environment'.split(' ')

const SYSTEM_FOLDER = longPattern('doors.SYSTEM_FOLDER')

const SERVED = longPattern('doors.SERVED')
