import { longPattern } from '../../../text/data.js'
import type { Effects } from '../../effects.js'
import { actsOn, namesOfPath, wordsIn } from '../../objects.js'
import { type Call, operandsOf } from '../call.js'
import { raiseIrreversible } from './irreversible.js'
import { isTrial, onlyLooks } from './looks.js'
import { programsThat } from './command-table.js'

/** Options by which a program skips the question that it would ask a person. */
const SKIPS = longPattern('skipped-questions.SKIPS')
/** Programs whose question is about a download, an output file or their own settings. */
const HARMLESS = programsThat('asks-about-itself')

/**
 * Records that a program which is not known does what it would ask a person about first: a task that names what it is done to asks for it.
 * Call it where nothing else is known of the command. O(arguments).
 */
export function noteSkippedQuestion(call: Call, effects: Effects): void {
  const { name, args } = call
  if (HARMLESS.has(name) || name.includes('/') || isTrial(call) || onlyLooks(call)) return
  if (!args.some((arg) => SKIPS.test(arg))) return
  raiseIrreversible('overwrite', 'a program that skips its own question', effects)
  const words = operandsOf(call).slice(0, 6)
  actsOn(effects, 'change', {
    kind: 'resource',
    byName: true,
    names: [
      ...words.flatMap((word) => (/[/.]/.test(word) ? namesOfPath(word) : [word, ...wordsIn(word)])),
      name,
    ].slice(-14),
    thing: words.slice(0, 3).join(' '),
  })
}
