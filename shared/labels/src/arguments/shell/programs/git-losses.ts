import { longPattern, readSet } from '../../../text/data.js'
import { kindName } from '../../../acts/product-words.js'
import { type Effects, does, raise } from '../../effects.js'
import { actsOn, namesOfFed, namesOfPath, wordsIn } from '../../objects.js'
import { type Call, type ShellContext, hasOption, operandsOf } from '../call.js'
import { thingNames } from '../own-things.js'
import { ownNames } from '../own-folders.js'
import { restoredBy, restoredThings } from './git-restores.js'

type Thing = Parameters<typeof actsOn>[2]

/** What a command of git takes away: the act, and the things. */
interface Loss {
  readonly act: 'delete' | 'overwrite'
  readonly things: readonly Thing[]
  /** Whether it is of single files, which the session may have changed itself. */
  readonly isOfFiles?: true
}

/**
 * Records the work that a command of git takes away, by what it is: branches, stashes, changes, files that git does not track.
 *
 * @param folder the value of git's `-C`, with `/` at its end; empty without it
 */
export function noteLosses(call: Call, { effects, whole }: ShellContext, folder = ''): boolean {
  const loss = LOSSES[call.name]?.(call, effects, folder)
  if (!loss) return false
  raise(effects, { capability: 'write', reversibility: 'irreversible' }, '`git` that throws work away')
  does(effects, loss.act)
  for (const each of loss.things)
    actsOn(effects, loss.act === 'overwrite' ? 'change' : 'delete', {
      kind: 'branch',
      ...each,
      names: each.names.length > 0 ? each.names : namesOfFed(whole),
    })
  return loss.isOfFiles !== true
}

/** Words by which tasks name work that is not committed, and the history of a repository. */
const CHANGES = [kindName('changes'), 'uncommitted', 'unstaged', 'repo', 'repository', 'checkout']
const HISTORY = ['history', 'commit', 'commits', 'past']
const UNCOMMITTED = 'changes that are not committed'
const UNTRACKED = { kind: 'path', reach: 'project', thing: 'files that git does not track' } as const
/** Words by which a task names all branches. */
const ALL = ['all', 'every', 'everything', 'mirror', 'branches', 'whole', 'entire', 'history']
/** Branches that others build on: a task that names one does not ask to rewrite it. */
const SHARED = longPattern('git-losses.SHARED')

const overwrites = (names: readonly string[], thing: string): Loss => ({
  act: 'overwrite',
  things: [{ kind: 'path', reach: 'project', names, thing }],
})
const losesHistory = (names: readonly string[]): Loss => ({
  act: 'delete',
  things: [{ names, thing: 'commits of the repository' }],
})

const thing = (kind: string, name: string): Thing => ({
  names: [
    name,
    name.split('/').at(-1) ?? name,
    ...wordsIn(name),
    ...(kind === 'branch' ? [kindName('branches')] : []),
  ],
  own: thingNames('git', `${kind}:${name}`),
  thing: `${kind} ${name}`,
})

type Reader = (call: Call, effects: Effects, folder: string) => Loss | undefined

/** Commands that throw work away, by name. A branch that is merged, or a change that is committed, is not lost. */
const LOSSES: Readonly<Record<string, Reader>> = {
  reset: (call) =>
    hasOption(call, '', '--hard')
      ? overwrites([...CHANGES, ...HISTORY, ...operandsOf(call).flatMap(refNames)], UNCOMMITTED)
      : undefined,
  checkout: (call, effects, folder) =>
    hasOption(call, 'f', '--force') ? overwrites(CHANGES, UNCOMMITTED) : restored(call, effects, folder),
  switch: (call) =>
    hasOption(call, 'f', '--force', '--discard-changes') ? overwrites(CHANGES, UNCOMMITTED) : undefined,
  restore: restored,
  push: pushed,
  branch: (call) => {
    const isForced =
      hasOption(call, 'D') || (hasOption(call, 'd', '--delete') && hasOption(call, 'f', '--force'))
    return isForced ? deletes(operandsOf(call), 'branch') : undefined
  },
  tag: (call) => (hasOption(call, 'd', '--delete') ? deletes(operandsOf(call), 'tag') : undefined),
  stash: (call) => {
    const [sub, which = 'stash@{0}'] = operandsOf(call)
    if (sub !== 'drop' && sub !== 'clear') return undefined
    const own = sub === 'drop' && which === 'stash@{0}' ? thingNames('git', 'stash') : []
    return {
      act: 'delete',
      things: [{ names: ['stash', 'stashes', 'stashed'], own, thing: 'stashed changes' }],
    }
  },
  reflog: (call) =>
    /^(?:expire|delete)$/.test(call.args[0] ?? '') ? losesHistory(['reflog', ...HISTORY]) : undefined,
  'update-ref': (call) => (call.args.includes('-d') ? deletes(operandsOf(call), 'branch') : undefined),
  gc: (call) =>
    call.args.some((arg) => arg.startsWith('--prune='))
      ? losesHistory(['unreachable', ...HISTORY])
      : undefined,
  prune: () => losesHistory(['unreachable', ...HISTORY]),
  clean: cleaned,
  'filter-branch': () => losesHistory(['filter-branch', ...HISTORY]),
  'filter-repo': () => losesHistory(['filter-repo', ...HISTORY]),
  lfs: (call) =>
    call.args[0] === 'migrate' && call.args[1] !== 'info' ? losesHistory(['lfs', ...HISTORY]) : undefined,
  annex: (call) =>
    /^(?:drop|dropunused)$/.test(call.args[0] ?? '') && call.args.includes('--force')
      ? {
          act: 'delete',
          things: [
            {
              kind: 'path',
              names: operandsOf(call).slice(1).flatMap(namesOfPath),
              thing: operandsOf(call).slice(1).join(' '),
            },
          ],
        }
      : undefined,
  worktree: (call, effects) => {
    const [sub, path = ''] = operandsOf(call)
    if (sub !== 'remove' || !hasOption(call, 'f', '--force')) return undefined
    return {
      act: 'delete',
      things: [
        {
          kind: 'path',
          names: ['worktree', ...namesOfPath(path)],
          own: [...ownNames(path, effects), ...thingNames('git', `worktree:${path}`)],
          thing: path,
        },
      ],
    }
  },
}

function restored(call: Call, effects: Effects, folder: string): Loss | undefined {
  const { isAll, paths } = restoredBy(call)
  if (isAll) return overwrites(CHANGES, UNCOMMITTED)
  if (paths.length === 0) return undefined
  return { act: 'overwrite', things: restoredThings(paths, CHANGES, folder, effects), isOfFiles: true }
}

const deletes = (names: readonly string[], kind: string): Loss => ({
  act: 'delete',
  // Names that only the run finds are of nothing that a task names.
  things: names.some((name) => name !== '$')
    ? names.filter((name) => name !== '$').map((name) => thing(kind, name))
    : [{ names: [] }],
})

const refNames = (ref: string): string[] => [ref, ref.split('/').at(-1) ?? ref]

/**
 * Branches of a remote that only the run finds: a task that names branches does not yet ask for those of others, nor does a task that names a
 * single branch of the remote ask for several.
 */
const OF_REMOTE: Loss = {
  act: 'delete',
  things: [
    { reach: 'shared', names: ['remote', 'remotes', 'origin', 'upstream'], thing: 'branches of the remote' },
    { reach: 'shared', names: [kindName('severalbranches')], thing: 'several branches' },
  ],
}
/** Every branch: a task that is about the history of the repository, or names the repository by its address, is about them. */
const ofAll = (remote: string): Loss => ({
  act: 'overwrite',
  things: [{ reach: 'shared', names: [...ALL, ...repositoryNames(remote)], thing: 'every branch' }],
})
/** `git@github.com:eva/wren.git` is `eva/wren` and `wren`. */
const repositoryNames = (remote: string): string[] => {
  const [, path = ''] = REPOSITORY.exec(remote.slice(-256)) ?? []
  return path === '' ? [] : [path, path.slice(path.indexOf('/') + 1)]
}
/** Words by which a task asks for another history of the branch that it is about. */
const REWRITES = [...readSet('shell', 'rewrites')]
/** With a lease nothing is lost that the repository has not seen: then a task also asks for it by asking for a push. */
const WITH_LEASE = [...REWRITES, 'push', 'pushed']
const ofCurrent = (hasLease: boolean): Loss => ({
  act: 'overwrite',
  things: [
    {
      reach: 'shared',
      names: hasLease ? WITH_LEASE : REWRITES,
      byName: hasLease,
      thing: 'what others pushed to the branch',
    },
  ],
})

/** A push that deletes branches, or that discards what others have pushed: by an option, or by a branch such as `+main` or `:main`. */
function pushed(call: Call): Loss | undefined {
  if (hasOption(call, 'n', '--dry-run')) return undefined
  const [remote = '', ...refs] = operandsOf(call)
  const branches = refs.map((ref) => ref.replace(/^\+/, '').split(':').at(-1) ?? ref)
  if (hasOption(call, 'd', '--delete') || refs.some((ref) => ref.startsWith(':')))
    return branches.some((name) => name !== '$') ? deletes(branches, 'branch') : OF_REMOTE
  const isForced =
    hasOption(call, 'f', '--force', '--force-with-lease', '--mirror', '--prune') ||
    refs.some((ref) => ref.startsWith('+'))
  if (!isForced) return undefined
  const isAll = hasOption(call, '', '--all', '--mirror', '--prune')
  const hasLease =
    hasOption(call, '', '--force-with-lease') &&
    !hasOption(call, 'f', '--force') &&
    branches.every((name) => /^\w[\w./-]*$/.test(name))
  if (branches.length === 0) return isAll ? ofAll(remote) : ofCurrent(hasLease)
  return {
    act: 'overwrite',
    things: branches.flatMap((name, i): readonly Thing[] => {
      if (SHARED.test(name)) {
        const forced: Thing = {
          reach: 'shared',
          names: ['force', 'forced', 'rewrite'],
          thing: `branch ${name}`,
        }
        return isToOther(refs[i] ?? '') ? [{ ...forced, names: [name] }, forced] : [forced]
      }
      return [
        {
          ...thing('branch', name),
          names: [
            name,
            name.split('/').at(-1) ?? name,
            ...wordsIn(name),
            ...(hasLease && branches.length === 1 ? WITH_LEASE : []),
          ],
          byName: hasLease || name.startsWith('refs/tags/'),
          reach: 'shared',
        },
      ]
    }),
  }
}

/** Whether what is here goes to a branch of another name, which a task then has to name: `HEAD:main`. */
const isToOther = (ref: string): boolean => {
  const [from = '', to] = ref.replace(/^\+/, '').split(':')
  return to !== undefined && from !== to
}

/** Files that git does not track. Those that it ignores have no names that a task may have meant: keys, settings, data. */
function cleaned(call: Call): Loss | undefined {
  if (hasOption(call, 'n', '--dry-run')) return undefined
  if (hasOption(call, 'X'))
    return { act: 'delete', things: [{ ...UNTRACKED, names: ['ignored', 'untracked'] }] }
  const paths = operandsOf(call)
  const names = hasOption(call, 'x') ? ['ignored', 'untracked'] : ['untracked', ...CHANGES]
  return {
    act: 'delete',
    things:
      paths.length === 0
        ? [{ ...UNTRACKED, names }]
        : paths.map((path) => ({ kind: 'path', names: [...names, ...namesOfPath(path)], thing: path })),
  }
}

const REPOSITORY = longPattern('git-losses.REPOSITORY')
