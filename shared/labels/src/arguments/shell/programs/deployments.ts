import { longPattern } from '../../../text/data.js'
import { raise, signal } from '../../effects.js'
import { type Call, type ShellContext, isOpen } from '../call.js'
import { COMMAND_LABELS } from './commands.js'
import { signalPush } from './pushes.js'

/** Words by which a program deploys the folder that it is in, without what Git ignores; and what it is deployed again by. */
const DEPLOYS: ReadonlyMap<string, RegExp> = new Map([
  ['vercel', /^(?:deploy|redeploy)$/],
  ['railway', /^(?:up|redeploy|deploy|restart)$/],
  ['wrangler', /^(?:deploy|publish)$/],
  ['fly', /^deploy$/],
  ['flyctl', /^deploy$/],
  ['firebase', /^deploy$/],
])
/** Options that change neither which files go nor to whom. */
const OPTION = longPattern('deployments.OPTION')
const WORD = /^[\w./:@,-]{1,128}$/

/**
 * Reads a deployment of the project to the service that it is set up for: it sends what files of the project hold, as a push does. Returns
 * whether it is one.
 */
export function readDeployment(call: Call, { effects }: ShellContext): boolean {
  if (isOpen(call) || call.piped || call.fed !== undefined || !deploysProject(call)) return false
  raise(effects, COMMAND_LABELS.SEND, 'a command that deploys the project', true)
  signal(effects, 'outside', 1)
  signalPush(effects)
  return true
}

/** Whether the words of a call deploy the project and nothing else. */
export function deploysProject({ name, args: words }: Pick<Call, 'name' | 'args'>): boolean {
  const verb = DEPLOYS.get(name)
  if (!verb) return false
  const [first = '', ...args] = words
  const isPlain = args.every((arg) => (arg.startsWith('-') ? OPTION.test(arg) : WORD.test(arg)))
  // A word behind the verb may be another folder.
  const folders = args.filter((arg, i) => !arg.startsWith('-') && !(args[i - 1] ?? '').startsWith('-'))
  return verb.test(first) && isPlain && !folders.some((word) => /^(?:[/~]|\.\.)/.test(word))
}
