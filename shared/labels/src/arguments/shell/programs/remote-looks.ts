import { type Call, isOpen, operandsOf } from '../call.js'

/** Tools that look at what another system holds, in words of one form: a thing, then `list`, `view` or `describe`. */
const TOOLS: ReadonlySet<string> = new Set(
  'gh glab aws gcloud az heroku vercel netlify fly flyctl'.split(' '),
)
const LOOKING =
  /^(?:list|ls|view|show|describe|status|diff|checks|head|get-caller-identity)$|^(?:list|describe|head)-[a-z-]{2,64}$/
/** What says more than what there is, or comes from elsewhere than the words of the command. */
const MORE =
  /^(?:api|exec|ssh|run-instances|execute\S*|auth|secrets?|secretsmanager|ssm|kms|sts|configure|keyvault|accesskeys?)$|^-[a-zA-Z]*F|^--(?:input|field|raw-field|body-file|cli-input-\w{1,8}|filename|file|jq-file)\b|file:\/\/|@/

/**
 * Whether a program only looks at what another system holds and sends it no more than its own words: `gh pr view 3`, `aws s3 ls`. What it
 * sends is then known.
 */
export function isRemoteLook(name: string, call: Call): boolean {
  if (!TOOLS.has(name) || isOpen(call) || call.piped || call.args.some((arg) => MORE.test(arg))) return false
  const words = operandsOf(call).slice(0, 4)
  return /^[a-z][a-z0-9:-]{0,32}$/.test(words[0] ?? '') && words.some((word) => LOOKING.test(word))
}

/** Options of git that change neither whom it asks nor what it starts. */
const PLAIN_OPTION =
  /^(?:-[vqapPftn4-6]{1,6}|--(?:all|prune|tags|no-tags|rebase|no-rebase|ff|ff-only|no-ff|autostash|no-autostash|depth(?:=\d{1,9})?|unshallow|verbose|quiet|progress|no-progress|dry-run|heads|refs|no-edit|force|prune-tags|recurse-submodules=no))$/
/** A remote or branch by its name. */
const REF = /^\+?\w[\w./-]{0,200}(?::[\w./-]{1,200})?$/

/** Whether git only asks the repository's own remotes for what they have: `git fetch origin`, `git pull --rebase`. */
export const isPlainFetch = (call: Call): boolean =>
  (/^(?:fetch|pull|ls-remote)$/.test(call.name) ||
    (call.name === 'remote' && /^(?:show|update|prune)$/.test(call.args[0] ?? ''))) &&
  !isOpen(call) &&
  !call.piped &&
  call.args.every((arg) =>
    arg.startsWith('-') ? PLAIN_OPTION.test(arg) : REF.test(arg) && !arg.includes('..'),
  )
