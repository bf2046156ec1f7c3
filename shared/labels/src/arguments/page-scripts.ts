import { longPattern } from '../text/data.js'
import { wordsOf } from '../tools/words-of.js'
import { ACT_OF_BUTTON_WORD } from './by-tool-name.js'
import { readCalls } from './code-calls.js'
import { type Call, type Effects, type Place, does, raise } from './effects.js'
import { actsOn } from './objects.js'
import { noteRequest } from './requests.js'
import { placeOf } from './web.js'

/** A URL without a host is one of the page. */
const placeOfRequest = (url: string): Place =>
  /^[/.$]/.test(url) ? 'outside' : (placeOf(url, undefined) ?? 'outside')

/** Arguments that hold JavaScript for a page, whatever the tool is called. */
const SCRIPT = longPattern('page-scripts.SCRIPT')
/** What only the user of the page should have. */
const SECRETS = longPattern('page-scripts.SECRETS')
/** Ways by which a page sends something somewhere. */
const SENDS = longPattern('page-scripts.SENDS')
/** A request that changes something where it goes. */
const CHANGES = longPattern('page-scripts.CHANGES')
/** A click on an element that a text picks. */
const CLICKS = longPattern('page-scripts.CLICKS')
const CLICKS_MAX = 16
/** Characters before it that are read. */
const PICKING_MAX = 160
const TEXT_MAX = 65_536
const ARGUMENTS_MAX = 32

/** What a page keeps in the browser of its user, and ways to take all of it away. */
const EMPTIES = longPattern('page-scripts.EMPTIES')
/** A form that is handed in, with what picks it. */
const HANDS_IN = longPattern('page-scripts.HANDS_IN')
const FORM = longPattern('page-scripts.FORM')
/** Forms that only ask. */
const ASKING = longPattern('page-scripts.ASKING')

/** Records what a page loses of what it keeps for its user, and forms that it hands in. */
function notePageActs(text: string, effects: Effects): void {
  for (const [, storage, database, cache] of text.matchAll(EMPTIES)) {
    const name = storage ?? database ?? cache ?? ''
    raise(effects, { capability: 'write', reversibility: 'irreversible' }, 'what a page keeps is taken away')
    does(effects, 'delete')
    actsOn(effects, 'delete', { kind: 'record', names: [name, 'storage', 'cache'], thing: name })
    break
  }
  let left = CLICKS_MAX
  for (const [, picking = ''] of text.matchAll(HANDS_IN)) {
    if ((left -= 1) < 0) return
    if (!FORM.test(picking) || ASKING.test(picking)) continue
    raise(effects, { capability: 'network', reversibility: 'irreversible' }, 'a form of a page is handed in')
    does(effects, 'send')
  }
}

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
    notePageActs(text, effects)
    readCalls(text, {
      command: () => {},
      written: () => {},
      // What a page asks its own server for is asked there as its user.
      request: (request) => noteRequest({ ...request, placeOf: placeOfRequest }, effects),
    })
    if (!SENDS.test(text) || !(SECRETS.test(text) || CHANGES.test(text))) continue
    raise(
      effects,
      { capability: 'network', reversibility: 'irreversible' },
      'a script in a page sends something',
    )
    does(effects, 'send')
  }
}
