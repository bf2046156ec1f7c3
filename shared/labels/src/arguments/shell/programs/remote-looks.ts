import { longPattern } from '../../../text/data.js'
import { type Call, isOpen } from '../call.js'

/** The first words of a command, up to its first option, as one text. */
const wordsOf = ({ args }: Call): string => {
  const end = args.findIndex((arg) => arg.startsWith('-'))
  return (end < 0 ? args : args.slice(0, end)).slice(0, 6).join(' ')
}

const NAME = String.raw`[\w./:@-]{1,128}`
const WORD = '[a-z][a-z0-9-]{0,32}'
const GITHUB =
  '(?:pr|mr|issue|run|repo|release|workflow|gist|label|cache|ruleset|project|org|pipeline|ci) (?:view|list|ls|status|diff|checks)'

/**
 * What looks at another system and sends it no more than its own words: a thing, then a word that looks, then names. The place of each word counts, as a
 * file may be called `list`.
 */
const LOOKS: ReadonlyMap<string, RegExp> = new Map([
  ['gh', new RegExp(`^${GITHUB}(?: ${NAME}){0,2}$`)],
  ['glab', new RegExp(`^${GITHUB}(?: ${NAME}){0,2}$`)],
  [
    'aws',
    new RegExp(
      `^(?:s3 ls(?: ${NAME})?|sts get-caller-identity|${WORD} (?:list|describe|get-resources|get-caller)(?:-${WORD})?)$`,
    ),
  ],
  ['gcloud', new RegExp(`^(?:${WORD} ){1,4}(?:list|describe ${NAME})$`)],
  ['az', new RegExp(`^(?:${WORD} ){1,4}(?:list|show)$`)],
  ['terraform', /^(?:state list|workspace (?:list|show))$/],
  [
    'helm',
    new RegExp(
      `^(?:(?:list|ls|repo list|version)|(?:status|history|get (?:values|manifest|notes|hooks|metadata)) ${NAME})$`,
    ),
  ],
  ['heroku', longPattern('remote-looks.LOOKING')],
  [
    'vercel',
    new RegExp(
      `^(?:ls|list|whoami|(?:env|domains|alias|project|teams) (?:ls|list)|(?:inspect|logs) ${NAME})$`,
    ),
  ],
  ['railway', /^(?:status|list|whoami|logs)$/],
  ['netlify', /^(?:status|sites:list)$/],
  ['fly', /^(?:status|apps list|releases)$/],
  ['flyctl', /^(?:status|apps list|releases)$/],
])
/** Secrets, what starts or changes something, files that are taken along, other hosts, and settings that come from elsewhere. */
const MORE = longPattern('remote-looks.MORE')

/** Whether a command may take more along than its words, whatever they ask for. */
export const sendsMore = ({ args }: Call): boolean => args.some((arg) => MORE.test(arg))

/**
 * Whether a program only looks at what another system holds and sends it no more than its own words: `gh pr view 3`, `aws s3 ls`. What it
 * sends is then known.
 */
export const isRemoteLook = (name: string, call: Call): boolean =>
  LOOKS.get(name)?.test(wordsOf(call)) === true &&
  !isOpen(call) &&
  !call.piped &&
  !sendsMore(call.args[0] === 'run' ? { ...call, args: call.args.slice(1) } : call)

/** Whether a cluster is only asked whether it would take what a file says, on this side: `kubectl apply --dry-run=client -f app.yaml`. */
export const isClientTrial = (name: string, call: Call): boolean =>
  name === 'kubectl' &&
  CHANGING.test(call.args.find((arg) => !arg.startsWith('-')) ?? '') &&
  call.args.includes('--dry-run=client') &&
  !call.args.some((arg) => /:\/\/|^--(?:server|kubeconfig|token|as)\b/.test(arg)) &&
  !isOpen(call) &&
  !call.piped

/** Options of git that change neither whom it asks nor what it starts. */
const PLAIN_OPTION = longPattern('remote-looks.PLAIN_OPTION')
/** A remote by its name; a path or host would be another repository. */
const REMOTE = /^[\w-]{1,64}$/
const REF = longPattern('remote-looks.REF')

/** Whether git only asks the repository's own remotes for what they have: `git fetch origin`, `git pull --rebase`. */
export function isPlainFetch(call: Call): boolean {
  const isOfRemote = call.name === 'remote' && /^(?:show|update|prune)$/.test(call.args[0] ?? '')
  if ((!isOfRemote && !/^(?:fetch|pull|ls-remote)$/.test(call.name)) || isOpen(call) || call.piped)
    return false
  const args = isOfRemote ? call.args.slice(1) : call.args
  const [remote, ...refs] = args.filter((arg) => !arg.startsWith('-'))
  return (
    args.every((arg) => !arg.startsWith('-') || PLAIN_OPTION.test(arg)) &&
    (remote === undefined || REMOTE.test(remote)) &&
    refs.every((ref) => REF.test(ref) && !ref.includes('..'))
  )
}

/** Registries that many use; another one learns the name of an image that it is asked for. */
const REGISTRY = longPattern('remote-looks.REGISTRY')

/** Whether images come from well-known registries, or the project's files name them. */
export const isPlainPull = (call: Call): boolean =>
  call.args.every((arg) => REGISTRY.test(arg) || !/^[^/]*[.:][^/]*\//.test(arg))

const CHANGING = longPattern('remote-looks.CHANGING')
