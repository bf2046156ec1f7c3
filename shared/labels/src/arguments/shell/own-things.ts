import { readSet, longPattern } from '../../text/data.js'
import type { Effects } from '../effects.js'
import { type Call, type ShellContext, hasOption, operandsOf } from './call.js'
import { isTrial } from './programs/looks.js'

/** Things that one step reports as made, together with its folders. */
const MADE_MAX = 8
const NAME_MAX = 128

/**
 * The names under which a thing is own that a program made: a container, a branch, a database. `program` stands for all that make and take
 * away the same.
 */
export const thingNames = (program: string, name: string): string[] => [`ownthing:${program}:${name}`]

/** Words by which programs make things that have names. */
const MAKES: ReadonlySet<string> = new Set('create new mb mk launch install'.split(' '))

/** Words for kinds of things, which are no names. */
const KINDS = readSet('shell', 'kindsOfThings')

/** Records the things with names that a command makes: `docker run --name db`, `git switch -c fix`, `kind create cluster --name x`. */
export function noteThings(call: Call, { effects, whole }: ShellContext): void {
  const things = thingsMade(call)
  if (things.length === 0 || isTrial(call) || hidesFailure(call, whole)) return
  for (const [program, name] of things) {
    const [known = ''] = thingNames(program, name)
    if (name !== '' && name.length <= NAME_MAX) noteThing(known, effects)
  }
}

/** Records that a thing is own once the step is over, by one of its `thingNames`. */
export function noteThing(known: string, { made }: Effects): void {
  if (made.length < MADE_MAX && known.length <= 2 * NAME_MAX && !made.includes(known)) made.push(known)
}

/** Whether the text goes on after the command's failure as after its success: `docker run --name db … || true`. The thing may have been there. */
export const hidesFailure = ({ name }: Call, whole: string): boolean =>
  whole.includes('||') && whole.lastIndexOf('||') > whole.indexOf(name)

/** Programs that take away what another makes. */
const ALIKE: Readonly<Record<string, string>> = {
  podman: 'docker',
  nerdctl: 'docker',
  createdb: 'database',
  dropdb: 'database',
  'redis-server': 'port',
  'redis-cli': 'port',
}
export const makerOf = (program: string): string => ALIKE[program] ?? program

/** Programs that make things without such a word. */
const MAKERS: ReadonlySet<string> = new Set('git docker database port'.split(' '))
const NONE: (readonly [string, string])[] = []

function thingsMade(call: Call): (readonly [string, string])[] {
  const { name, args } = call
  const program = makerOf(name)
  const words = operandsOf(call)
  if (
    !MAKERS.has(program) &&
    !words.slice(0, 4).some((word) => MAKES.has(word) || word.startsWith('create-'))
  )
    return NONE
  const named = valuesOf(args, /^(?:--name|-n)$/).map((value) => [program, value] as const)
  if (name === 'git') return branchesMade(call).map((made) => ['git', made] as const)
  if (name === 'dropdb') return []
  if (program === 'database') return words.slice(-1).map((made) => [program, made] as const)
  if (name === 'redis-server') return valuesOf(args, /^--port$/).map((made) => [program, made] as const)
  if (program === 'docker') {
    const tags = /^(?:build|buildx|tag)$/.test(words[0] ?? '') ? valuesOf(args, /^(?:-t|--tag)$/) : []
    const isCreated = words[1] === 'create'
    const made =
      isCreated || words[0] === 'tag' ? words.slice(2, 3).map((each) => ofKind(words[0], each)) : []
    const isRun = /^(?:run|create)$/.test(words[0] ?? '')
    return [...(isRun ? named : []), ...[...tags, ...made].map((each) => [program, each] as const)]
  }
  const kind = /^create-([a-z-]{1,40})$/.exec(
    words.slice(0, 4).find((word) => word.startsWith('create-')) ?? '',
  )?.[1]
  if (kind !== undefined)
    return valuesOf(args, new RegExp(`^--(?:${kind}-)?(?:name|id)$`)).map((made) => [program, made] as const)
  const at = words.slice(0, 4).findIndex((word) => MAKES.has(word))
  if (at < 0) return []
  return [
    ...named,
    ...words
      .slice(at + 1, at + 4)
      .filter((word) => !KINDS.has(word))
      .map((made) => [program, made] as const),
  ]
}

/** Values of an option, as the next word or after `=`. */
const valuesOf = (args: readonly string[], option: RegExp): string[] =>
  args.flatMap((arg, i) => {
    const equals = arg.startsWith('--') ? arg.indexOf('=') : -1
    if (equals > 0) return option.test(arg.slice(0, equals)) ? [arg.slice(equals + 1)] : []
    return option.test(arg) ? [args[i + 1] ?? ''] : []
  })

function branchesMade(call: Call): string[] {
  const [sub, first = '', second = ''] = operandsOf(call)
  const given = (option: RegExp): string[] => valuesOf(call.args, option).map((name) => `branch:${name}`)
  if (sub === 'checkout') return given(/^-b$/)
  if (sub === 'switch') return given(/^(?:-c|--create)$/)
  if (
    sub === 'branch' &&
    !call.args.some((arg) => arg.startsWith('-') && !/^(?:-t|--track\S{0,16}|--no-track)$/.test(arg))
  )
    return [`branch:${first}`]
  if (sub === 'tag' && !hasOption(call, 'dl', '--delete', '--list')) return [`tag:${first}`]
  if (sub === 'subtree' && first === 'split') return given(/^(?:-b|--branch)$/)
  if (sub === 'worktree' && first === 'add') return [...given(/^-b$/), `worktree:${second}`]
  if (sub === 'stash' && (first === '' || first === 'push' || first === 'save')) return ['stash']
  return []
}

/** A volume or a network may have the name of a container. */
const ofKind = (kind: string | undefined, name: string): string =>
  kind === 'volume' || kind === 'network' ? `${kind}:${name}` : name

/** The names under which the one thing is own that a command takes away by its words after the verb; none if there are several. */
export function ownThingOf(call: Pick<Call, 'name' | 'args'>, isTaking: (word: string) => boolean): string[] {
  const program = makerOf(call.name)
  const words = call.args.filter((arg, i) => !arg.startsWith('-') && !VALUED.test(call.args[i - 1] ?? ''))
  const at = words.findIndex(isTaking)
  const after = [
    ...words.slice(at + 1).filter((word) => !KINDS.has(word)),
    ...valuesOf(call.args, /^--name$/),
  ]
  const ofVerb = valueOfVerb(words[at] ?? '', call.args)
  const last = ofVerb ?? after[0]
  if (last === undefined || (ofVerb === undefined && after.length > 1)) return []
  return thingNames(program, program === 'docker' ? ofKind(words[0], last) : last)
}

/** The thing that an option names with the words of the verb: `delete-change-set --stack-name edge --change-set-name look`. */
const valueOfVerb = (verb: string, args: readonly string[]): string | undefined =>
  args.find((_, i) => {
    const [, thing] = /^--([a-z-]{2,40})-(?:name|id)$/.exec(args[i - 1] ?? '') ?? []
    return thing !== undefined && verb.endsWith(`-${thing}`)
  })

/** The names under which a cluster of this machine is own that a command works in: `kubectl --context kind-x`. */
export function ownClusterOf({ name, args }: Pick<Call, 'name' | 'args'>): string[] {
  if (!/^(?:kubectl|helm)$/.test(name)) return []
  const contexts = valuesOf(args, /^--(?:kube-)?context$/)
  const [, maker, cluster] = OF_THIS_MACHINE.exec(contexts[0] ?? '') ?? []
  return contexts.length === 1 && maker !== undefined && cluster !== undefined
    ? thingNames(maker, cluster)
    : []
}
const OF_THIS_MACHINE = /^(kind|k3d)-([\w.-]{1,64})$/

/** Options that take the next word: where the thing is, not what it is. */
const VALUED = longPattern('own-things.VALUED')
