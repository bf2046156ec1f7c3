import { type Effects, does, raise } from '../../effects.js'
import { actsOn, namesOfFed, namesOfPath, wordsIn } from '../../objects.js'
import { type Call, type ShellContext, hasOption, operandsOf } from '../call.js'
import { thingNames } from '../own-things.js'
import { ownNames } from '../own-folders.js'

/** What a command of git takes away: the act, and for each thing its names and those under which it may be own. */
interface Loss {
  readonly act: 'delete' | 'overwrite'
  readonly things: readonly (readonly [names: readonly string[], own: readonly string[]])[]
}

/** Records the work that a command of git takes away, by what it is: branches, stashes, changes, files that git does not track. */
export function noteLosses(call: Call, { effects, whole }: ShellContext): boolean {
  const loss = LOSSES[call.name]?.(call, effects)
  if (!loss) return false
  raise(effects, { reversibility: 'irreversible' }, '`git` that throws work away')
  does(effects, loss.act)
  for (const [names, own] of loss.things) actsOn(effects, names.length > 0 ? names : namesOfFed(whole), own)
  return true
}

/** Words by which tasks name work that is not committed, and the history of a repository. */
const CHANGES =
  'change changes work uncommitted unstaged everything edits modifications tree repo repository checkout'.split(
    ' ',
  )
const HISTORY = ['history', 'commit', 'commits', 'past']
/** Branches that others build on: a task that names one does not ask to rewrite it. */
const SHARED = /^(?:refs\/heads\/)?(?:main|master|trunk|develop|development|release|production|prod|staging)$/

const overwrites = (names: readonly string[]): Loss => ({ act: 'overwrite', things: [[names, []]] })

const thing = (kind: string, name: string): Loss['things'][number] => [
  [name, name.split('/').at(-1) ?? name, ...wordsIn(name)],
  thingNames('git', `${kind}:${name}`),
]

type Reader = (call: Call, effects: Effects) => Loss | undefined

/** Commands that throw work away, by name. A branch that is merged, or a change that is committed, is not lost. */
const LOSSES: Readonly<Record<string, Reader>> = {
  reset: (call) =>
    hasOption(call, '', '--hard')
      ? overwrites([...CHANGES, ...HISTORY, ...operandsOf(call).flatMap(refNames)])
      : undefined,
  checkout: (call) =>
    call.args.includes('.') || hasOption(call, 'f', '--force') ? overwrites(CHANGES) : undefined,
  switch: (call) => (hasOption(call, 'f', '--force', '--discard-changes') ? overwrites(CHANGES) : undefined),
  restore: (call) => {
    if (hasOption(call, 'S', '--staged') && !hasOption(call, 'W', '--worktree')) return undefined
    return call.args.includes('.') ? overwrites(CHANGES) : undefined
  },
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
    return { act: 'delete', things: [[['stash', 'stashes', 'stashed'], own]] }
  },
  reflog: (call) =>
    /^(?:expire|delete)$/.test(call.args[0] ?? '')
      ? { act: 'delete', things: [[['reflog', ...HISTORY], []]] }
      : undefined,
  'update-ref': (call) => (call.args.includes('-d') ? deletes(operandsOf(call), 'branch') : undefined),
  gc: (call) =>
    call.args.some((arg) => arg.startsWith('--prune='))
      ? { act: 'delete', things: [[['unreachable', ...HISTORY], []]] }
      : undefined,
  prune: () => ({ act: 'delete', things: [[['unreachable', ...HISTORY], []]] }),
  clean: cleaned,
  'filter-branch': () => ({ act: 'delete', things: [[HISTORY, []]] }),
  'filter-repo': () => ({ act: 'delete', things: [[HISTORY, []]] }),
  worktree: (call, effects) => {
    const [sub, path = ''] = operandsOf(call)
    if (sub !== 'remove' || !hasOption(call, 'f', '--force')) return undefined
    return {
      act: 'delete',
      things: [
        [
          ['worktree', ...namesOfPath(path)],
          [...ownNames(path, effects), ...thingNames('git', `worktree:${path}`)],
        ],
      ],
    }
  },
}

const deletes = (names: readonly string[], kind: string): Loss => ({
  act: 'delete',
  // Names that only the run finds are of nothing that a task names.
  things: names.some((name) => name !== '$')
    ? names.filter((name) => name !== '$').map((name) => thing(kind, name))
    : [[[], []]],
})

const refNames = (ref: string): string[] => [ref, ref.split('/').at(-1) ?? ref]

/** A push that deletes branches, or that discards what others have pushed: by an option, or by a branch such as `+main` or `:main`. */
function pushed(call: Call): Loss | undefined {
  const [, ...refs] = operandsOf(call)
  const branches = refs.map((ref) => ref.replace(/^\+/, '').split(':').at(-1) ?? ref)
  if (hasOption(call, 'd', '--delete') || refs.some((ref) => ref.startsWith(':')))
    return deletes(branches, 'branch')
  const isForced =
    hasOption(call, 'f', '--force', '--force-with-lease', '--mirror', '--prune') ||
    refs.some((ref) => ref.startsWith('+'))
  if (!isForced) return undefined
  if (branches.length === 0) return { act: 'overwrite', things: [] }
  return {
    act: 'overwrite',
    things: branches.map((name) =>
      SHARED.test(name) ? [['force', 'forced', 'rewrite'], []] : thing('branch', name),
    ),
  }
}

/** Files that git does not track. Those that it ignores have no names that a task may have meant: keys, settings, data. */
function cleaned(call: Call): Loss | undefined {
  if (hasOption(call, 'n', '--dry-run')) return undefined
  if (hasOption(call, 'xX')) return { act: 'delete', things: [[['ignored', 'untracked'], []]] }
  const paths = operandsOf(call)
  const names = ['untracked', ...CHANGES]
  return {
    act: 'delete',
    things: paths.length === 0 ? [[names, []]] : paths.map((path) => [[...names, ...namesOfPath(path)], []]),
  }
}
