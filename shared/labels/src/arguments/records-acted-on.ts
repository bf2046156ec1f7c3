import { type Act, type CatalogueEntry, actSignal, toolOnServer } from '@plimsoll/contracts'
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
  const signals = {
    ...effects.signals,
    ...actDone({ tool, isProgram: false }, labelsOf(effects), effects.signals),
  }
  const act = ACTS_ON_RECORDS.find((each) => signals[actSignal('does', each)] !== undefined)
  const records = recordsIn(tool, args)
  if (act === undefined) return noteRequest(args, entry, records, effects)
  for (const names of records)
    actsOn(effects, effectOfAct(act), { kind: 'record', names, thing: names[0], ofRecord: true })
}

/** The ids of each record that a tool is given. Each member of a list is a record of its own. */
function recordsIn(tool: string, args: Readonly<Record<string, unknown>>): readonly (readonly string[])[] {
  const given = Object.entries(args)
    .slice(0, ARGUMENTS_MAX)
    .filter(([name]) => roleOf(name)?.letter === 'i')
    .map(([name, value]) => ({ name, value, ids: valuesOf(value).scalars.map(String).filter(isId) }))
    .filter(({ ids }) => ids.length > 0)
  // Of `delete_event { calendar_id, event_id }` the event is deleted.
  const words = wordsOf(toolOnServer(tool) ?? tool)
  const own = given.filter(({ name }) => wordsOfName(name).some((word) => words.includes(word)))
  const about = own.length > 0 ? own : given
  const listed = about.find(({ value }) => Array.isArray(value))
  const records = listed?.ids.map((id) => [id]) ?? [about.flatMap(({ ids }) => ids)]
  return records.filter((ids) => ids.length > 0).slice(0, IDS_MAX + 1)
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
  const isElsewhere = capability === 'network' || (capability === 'write' && trust !== 'trusted')
  const isOfPage = Object.keys(args).some((name) => OF_PAGES.test(name) || roleOf(name)?.letter === 'p')
  if (!isElsewhere || isOfPage || reversibility === 'reversible') return
  if (records.length === 0) actsOn(effects, 'request', { kind: 'record', names: [] })
  for (const names of records)
    actsOn(effects, 'request', { kind: 'record', names, thing: names[0], ofRecord: true })
}

/** Arguments of tools that make requests or work in a page: what they do is read from these. */
const OF_PAGES =
  /^(?:url|uri|method|function|script|element|ref|selector|accept|query|code|action|operation|command|coordinate)$/i

const isId = (value: string): boolean =>
  value.length > 0 && value.length <= ID_CHARS_MAX && !/\s|^(?:true|false)$/.test(value)
