import type { Act } from '@plimsoll/contracts'
import { wordsOf } from '../sources/words-of.js'
import { does, raise } from './effects.js'
import type { Call } from './readings.js'

/** Tools that press what a page shows, by a word of their name. */
const PRESSES: ReadonlySet<string> = new Set(['click', 'press', 'tap', 'dblclick', 'submit'])
/** Arguments that say what is pressed, for a person or as a selector. */
const PRESSED = /^(?:element|selector|label|button|button_?text|link_?text|name|text|target)$/i
const TEXT_MAX = 256

/** What a button says it does for good. Words that are things as often (`post`, `order`, `message`) are left out. */
const SAYS: ReadonlyMap<string, Act> = new Map(
  Object.entries({
    delete: 'delete remove erase destroy wipe purge terminate uninstall deactivate',
    pay: 'pay buy purchase checkout transfer donate withdraw refund',
    publish: 'publish tweet deploy',
    send: 'send',
  } satisfies Partial<Record<Act, string>>).flatMap(([act, words]) =>
    words.split(' ').map((word) => [word, act as Act] as const),
  ),
)

/**
 * Notes what a press does by the words of what is pressed: `Delete account`, `#pay-now`. A lower bound: nobody can tell what a press at a place
 * of the screen does. Linear in texts of at most `TEXT_MAX` characters.
 */
export function noteClick(tool: string, args: Readonly<Record<string, unknown>>, call: Call): void {
  if (!call.worst || !wordsOf(tool).some((word) => PRESSES.has(word))) return
  for (const name in args) {
    const text = args[name]
    if (typeof text !== 'string' || !PRESSED.test(name)) continue
    for (const word of wordsOf(text.slice(0, TEXT_MAX))) {
      const act = SAYS.get(word)
      if (!act) continue
      raise(
        call.effects,
        { reversibility: 'irreversible' },
        'it presses what says that it cannot be taken back',
      )
      does(call.effects, act)
    }
  }
}
