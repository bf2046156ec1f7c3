import { longPattern } from '../../../text/data.js'
import { CAPABILITIES } from '@plimsoll/contracts'
import { type Effects, createEffects } from '../../effects.js'
import { actsOn, wordsIn } from '../../objects.js'
import { type Call, type ShellContext, createVariables, quoted } from '../call.js'
import { LIVE_WORDS, publishes } from './live.js'
import { isTrial, onlyLooks } from './looks.js'

/** Words of a command that are compared, and characters of each. */
const WORDS_MAX = 64
const WORD_MAX = 256
/** Commands with more words are not read again, and count as changing something. */
const READ_MAX = 256

/** Files by whose names alone nothing is live. */
const FILES = longPattern('production.FILES')

/**
 * Records that a command changes what people use, by a name that the world declares among its words. A command that only looks there, or
 * says what it would do, is none. O(words × names); reads the command once more where a name is found.
 */
export function noteProduction(call: Call, context: ShellContext): void {
  const { production = [] } = context.effects.world ?? {}
  if (production.length === 0 || isTrial(call) || onlyLooks(call)) return
  const live = call.args.slice(0, WORDS_MAX).filter((arg) => isOneOf(arg, production))
  if (live.length === 0 || !changes(call, live, context)) return
  publishes('a command that changes what is live', context.effects)
  actsOn(context.effects, 'deploy', {
    kind: 'resource',
    reach: 'live',
    names: [...LIVE_WORDS, ...live.slice(0, 2), ...live.flatMap(wordsIn)],
    thing: live[0],
  })
}

const isOneOf = (arg: string, production: readonly string[]): boolean =>
  arg.length <= WORD_MAX && !FILES.test(arg) && production.some((name) => hasName(arg.toLowerCase(), name))

/** Whether `name` is in `word` with no letter or digit beside it: `blue` in `deploy/blue`, `--context=blue` and `blue.db.example.com`. */
function hasName(word: string, name: string): boolean {
  for (let at = word.indexOf(name); at >= 0; at = word.indexOf(name, at + 1))
    if (!isPartOfWord(word[at - 1]) && !isPartOfWord(word[at + name.length])) return true
  return false
}

const isPartOfWord = (letter: string | undefined): boolean => letter !== undefined && /[a-z\d]/.test(letter)

/** An option that may take the next word. */
const OPTION = /^--?[a-z][a-z-]{0,32}$/i

const WRITE = CAPABILITIES.indexOf('write')

/** Whether the command changes something, or is not understood. Without options that say where: `--context blue` hides what follows it. */
function changes({ name, args }: Call, live: readonly string[], context: ShellContext): boolean {
  if (args.length > READ_MAX) return true
  const effects: Effects = createEffects()
  const isPlace = (i: number): boolean =>
    live.includes(args[i] ?? '') && (OPTION.test(args[i - 1] ?? '') || (args[i] ?? '').startsWith('-'))
  const rest = args.filter((_, i) => !isPlace(i) && !(OPTION.test(args[i] ?? '') && isPlace(i + 1)))
  context.nested(quoted([name, ...rest]), { ...context, effects, variables: createVariables(), piped: true })
  return effects.capability >= WRITE && effects.reversibility > 0
}
