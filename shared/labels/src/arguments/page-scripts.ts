import { wordsOf } from '../tools/words-of.js'
import { ACT_OF_BUTTON_WORD } from './by-tool-name.js'
import { type Call, type Effects, does, raise } from './effects.js'

/** Arguments that hold JavaScript for a page, whatever the tool is called. */
const SCRIPT = /^(?:function|page_?function|expression|script|javascript|js|js_?code|evaluate)$/i
/** What only the user of the page should have. */
const SECRETS = /\bdocument\s{0,4}\.\s{0,4}cookie\b|\b(?:local|session)Storage\b|\bindexedDB\b/
/** Ways by which a page sends something somewhere. */
const SENDS =
  /\b(?:fetch|sendBeacon|XMLHttpRequest|WebSocket|EventSource)\b|\bnew\s{1,4}Image\b|\.(?:src|href)\s{0,4}=(?!=)|\blocation\s{0,4}=(?!=)/
/** A request that changes something where it goes. */
const CHANGES = /\bmethod\b["']?\s{0,4}:\s{0,4}["'`](?:POST|PUT|PATCH|DELETE)["'`]/i
/** A click on an element that a text picks. */
const CLICKS = /\.\s{0,4}(?:click|submit|requestSubmit)\s{0,4}\(/g
const CLICKS_MAX = 16
/** Characters before it that are read. */
const PICKING_MAX = 160
const TEXT_MAX = 65_536
const ARGUMENTS_MAX = 32

/** Records the act of a click by the words that pick its element: `button[data-action="authorize"]`. */
function notePressed(text: string, effects: Effects): void {
  let left = CLICKS_MAX
  for (const { index } of text.matchAll(CLICKS)) {
    if ((left -= 1) < 0) return
    for (const word of wordsOf(text.slice(Math.max(0, index - PICKING_MAX), index))) {
      const act = ACT_OF_BUTTON_WORD.get(word)
      if (!act) continue
      raise(effects, { reversibility: 'irreversible' }, 'it presses what says that it cannot be taken back')
      does(effects, act)
    }
  }
}

/**
 * Records what JavaScript for a page sends: `fetch` with a body, cookies that go anywhere. It runs as the user of the page. Linear in the
 * text.
 */
export function readPageScripts(args: Readonly<Record<string, unknown>>, { effects }: Call): void {
  let left = ARGUMENTS_MAX
  for (const name in args) {
    if ((left -= 1) < 0) return
    const value = args[name]
    if (typeof value !== 'string' || !SCRIPT.test(name)) continue
    const text = value.slice(0, TEXT_MAX)
    notePressed(text, effects)
    if (!SENDS.test(text) || !(SECRETS.test(text) || CHANGES.test(text))) continue
    raise(
      effects,
      { capability: 'network', reversibility: 'irreversible' },
      'a script in a page sends something',
    )
    does(effects, 'send')
  }
}
