import { longPattern } from '../text/data.js'
import { type Act, type CatalogueEntry, actSignal, nameBehindServer } from '@plimsoll/contracts'
import { type Effects, labelsOf } from './effects.js'
import { actsOn, effectOfAct } from './objects.js'
import { roleOf } from '../provenance/argument-text.js'
import { actDone } from '../tools/act-done.js'
import { valuesOf } from '../tools/values.js'
import { wordsOf, wordsOfName } from '../tools/words-of.js'

/** Arguments that are read, and ids of one list, beyond which nothing names the last; the longest id, in characters. */
const ARGUMENTS_MAX = 64
const IDS_MAX = 8
const ID_CHARS_MAX = 128

/** Acts on a record that its id may stand for. Whom a message goes to says more than the message that it answers. */
const ACTS_ON_RECORDS: readonly Act[] = ['delete', 'overwrite', 'pay', 'grant', 'publish', 'credential']

/**
 * Records what a tool acts on that is given ids of records: a task names them, and earlier results show which record it means by another name.
 */
export function noteRecords(
  tool: string,
  args: Readonly<Record<string, unknown>>,
  entry: CatalogueEntry | undefined,
  effects: Effects,
): void {
  const act = actOf(tool, effects)
  const records = recordsIn(tool, args)
  if (act === undefined) return noteRequest(args, entry, records, effects)
  for (const names of records)
    actsOn(effects, effectOfAct(act), { kind: 'record', names, thing: names[0], ofRecord: true })
}

/** Keys of records that are no keys of access: `issue_key`. */
const OF_KEYS = longPattern('records-acted-on.OF_KEYS')

function actOf(tool: string, effects: Effects): Act | undefined {
  const named = actDone({ tool, isProgram: false }, labelsOf(effects), effects.signals)
  return ACTS_ON_RECORDS.find((act) => {
    const name = actSignal('does', act)
    return effects.signals[name] !== undefined || named[name] !== undefined
  })
}

const NO_RECORDS: readonly (readonly string[])[] = Object.freeze([])

/** The ids of each record that a tool is given. Each member of a list is a record of its own. */
function recordsIn(tool: string, args: Readonly<Record<string, unknown>>): readonly (readonly string[])[] {
  let left = ARGUMENTS_MAX
  const given: { name: string; isList: boolean; ids: string[] }[] = []
  for (const name in args) {
    if ((left -= 1) < 0) break
    if (roleOf(name)?.letter !== 'i' && !OF_KEYS.test(name)) continue
    const value = args[name]
    const ids = valuesOf(value).scalars.map(String).filter(isId)
    if (ids.length > 0) given.push({ name, isList: Array.isArray(value), ids })
  }
  if (given.length === 0) return NO_RECORDS
  // Of `delete_event { calendar_id, event_id }` the event is deleted.
  const words = wordsOf(nameBehindServer(tool))
  const own = given.filter(({ name }) => wordsOfName(name).some((word) => words.includes(word)))
  const about = own.length > 0 ? own : given
  const listed = about.find(({ isList }) => isList)
  return listed ? listed.ids.slice(0, IDS_MAX + 1).map((id) => [id]) : [about.flatMap(({ ids }) => ids)]
}

/**
 * Records that a labelled tool asks another system for a change: a task that only looks does not ask for that. Files of this machine are no such
 * system.
 */
function noteRequest(
  args: Readonly<Record<string, unknown>>,
  entry: CatalogueEntry | undefined,
  records: readonly (readonly string[])[],
  effects: Effects,
): void {
  const { capability = 'read', reversibility = 'reversible', trust } = entry?.labels ?? {}
  // What an agent writes for itself is trusted.
  const runs = capability === 'execute' && entry?.least === undefined
  const isElsewhere = capability === 'network' || runs || (capability === 'write' && trust !== 'trusted')
  const isOfPage = Object.keys(args).some((name) => OF_PAGES.test(name) || roleOf(name)?.letter === 'p')
  // What reaches out and can be taken back asks for something.
  const isSmall = reversibility === 'reversible'
  if (isOfPage || !(capability === 'write' || runs || (capability === 'network' && !isSmall))) return
  if (records.length === 0 && isElsewhere && !isSmall)
    actsOn(effects, 'request', { kind: 'record', names: [] })
  for (const names of records)
    actsOn(effects, 'request', { kind: 'record', names, thing: names[0], ofRecord: true })
}

/** Arguments of tools that make requests or work in a page: what they do is read from these. */
const OF_PAGES = longPattern('records-acted-on.OF_PAGES')

const isId = (value: string): boolean =>
  value.length > 0 && value.length <= ID_CHARS_MAX && !/\s|^(?:true|false)$/.test(value)
