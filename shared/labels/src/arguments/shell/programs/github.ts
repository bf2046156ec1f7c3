import { longPattern } from '../../../text/data.js'
import { type Effects, does, raise } from '../../effects.js'
import { actsOn, namesOfPath, wordsIn } from '../../objects.js'
import { type Call, isOpen } from '../call.js'

/** Files of one gist that are kept apart. */
const FILES_MAX = 6

/** Records what `gh` shows to others file by file, and edits of the text of a release. O(arguments). */
export function noteGitHub(call: Call, effects: Effects): void {
  if (call.name !== 'gh') return
  if (call.args[0] === 'gist' && call.args[1] === 'create') noteGist(call, effects)
  if (editsNotes(call)) noteNotes(call, effects)
  const admitted = admittedBy(call)
  if (admitted) noteAdmitted(...admitted, effects)
}

/** The repository and the login of a request that gives access: `gh api -X PUT repos/o/r/collaborators/ann`. */
export function admittedBy({
  name,
  args,
}: Pick<Call, 'name' | 'args'>): readonly [string, string] | undefined {
  if (name !== 'gh' || args[0] !== 'api') return undefined
  const isChange = args.some(
    (arg, i) =>
      CHANGES.test(arg) || (/^(?:-X|--method)$/.test(arg) && CHANGES.test(`-X${args[i + 1] ?? ''}`)),
  )
  const found = isChange ? ADMITS.exec(args.find((arg) => ADMITS.test(arg)) ?? '') : null
  return found ? [found[1] ?? '', found[2] ?? ''] : undefined
}
const CHANGES = longPattern('github.CHANGES')
const ADMITS = longPattern('github.ADMITS')

/** A task has to name both whom it lets in, and where. */
function noteAdmitted(place: string, login: string, effects: Effects): void {
  raise(effects, { capability: 'execute', reversibility: 'irreversible' }, 'a command that gives access')
  does(effects, 'grant')
  const last = place.split('/').at(-1) ?? place
  for (const [kind, names] of [
    ['account', [login, ...wordsIn(login)]],
    ['resource', [place, last, ...wordsIn(last)]],
  ] as const)
    actsOn(effects, 'grant', { kind, names, thing: names[0] })
}

/** A task has to name each file of a gist, and that all may see it. */
function noteGist(call: Call, effects: Effects): void {
  const { args } = call
  raise(
    effects,
    { capability: 'execute', reversibility: 'irreversible' },
    'a command that shows work to others',
  )
  does(effects, 'publish')
  const files = args.slice(2).filter((arg, i) => !arg.startsWith('-') && !TAKES_VALUE.test(args[i + 1] ?? ''))
  const isKnown = !isOpen(call) && files.length > 0 && files.length <= FILES_MAX
  if (!isKnown) actsOn(effects, 'publish', { kind: 'resource', names: files.length === 0 ? ['gist'] : [] })
  else
    for (const file of files)
      actsOn(effects, 'publish', { kind: 'path', names: namesOfPath(file), thing: file })
  if (args.some((arg) => arg === '--public' || arg === '-p'))
    actsOn(effects, 'publish', {
      kind: 'resource',
      names: ['public', 'publicly', 'everyone', 'everybody', 'forum'],
      thing: 'a gist that all may see',
    })
}

/** Options of `gh gist create` that take the next word. */
const TAKES_VALUE = longPattern('github.TAKES_VALUE')

/** Whether a call changes the text and title of a release, and not whether it is out. */
export const editsNotes = ({ name, args }: Pick<Call, 'name' | 'args'>): boolean =>
  name === 'gh' &&
  args[0] === 'release' &&
  args[1] === 'edit' &&
  args.some((arg) => NOTES.test(arg)) &&
  args.every((arg) => !arg.startsWith('-') || NOTES.test(arg) || /^(?:-R|--repo)(?:=|$)/.test(arg))

const NOTES = longPattern('github.NOTES')

/** A task that names the release and its notes asks for a change of them. */
function noteNotes(call: Call, effects: Effects): void {
  const tag = call.args[2] ?? ''
  raise(
    effects,
    { capability: 'execute', reversibility: 'irreversible' },
    'a command that changes a text of others',
  )
  does(effects, 'overwrite')
  const isKnown = !isOpen(call) && tag !== '' && !tag.startsWith('-')
  for (const names of [
    [tag, tag.replace(/^v/, '')],
    ['notes', 'note', 'changelog', 'announcement', 'title'],
  ])
    actsOn(effects, 'change', {
      kind: 'record',
      reach: 'live',
      names: isKnown ? names : [],
      thing: `the notes of ${tag}`,
      byName: true,
    })
}
