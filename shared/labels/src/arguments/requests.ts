import type { Act, EffectAct, ObjectKind } from '@plimsoll/contracts'
import { actOfTool } from '../tools/act-done.js'
import { wordsOf } from '../tools/words-of.js'
import {
  patternOf,
  readSet,
  readTable,
  wordsIn as wordsOfTable,
  type Words,
  longPattern,
} from '../text/data.js'
import { type Effects, type Place, does, raise } from './effects.js'
import { actsOn, effectOfAct, wordsIn } from './objects.js'

/** A request that a program makes: a client of the shell, Python, a script in a page. */
export interface ProgramRequest {
  readonly method: string
  /** Where it goes, as far as that is known. */
  readonly urls: readonly string[]
  /** What it sends as text, as far as it is known. */
  readonly body: string
  /** Whether it hands a file over by itself: `curl -T`. */
  readonly uploads?: boolean
  /** The place of a URL, as its maker knows it. */
  readonly placeOf: (url: string) => Place
}

/** Longer bodies are read by their beginning, and fields of a mutation that are read. */
const BODY_MAX = 16_384
const URL_MAX = 1024
const FIELDS_MAX = 32

/** A row of `data/requests.json`: what a method does at a path. The first that matches counts. */
const ACTS = readTable<
  readonly {
    act: Act
    effect?: EffectAct
    object?: ObjectKind
    methods: Words
    reason: string
    path: string
  }[]
>('requests', 'acts').map(({ methods, path, effect, object, ...row }) => ({
  ...row,
  effect: effect ?? effectOfAct(row.act),
  object: object ?? ('record' as const),
  methods: new Set(wordsOfTable(methods)),
  path: patternOf(path),
}))
/** Public servers for trying requests. */
const KEEPS_NOTHING = readSet('requests', 'keepsNothing')

/**
 * Records what a request does by its method, its path and its body on any host but this machine, a server that keeps nothing, or a service
 * beside it by a name without a domain. Linear in the texts.
 */
export function noteRequest(
  { method, urls, body, uploads, placeOf }: ProgramRequest,
  effects: Effects,
): void {
  const url = urls.find((each) => isOfOthers(each, placeOf))
  if (url === undefined) return
  const verb = method.toUpperCase()
  const mutation = mutationIn(body)
  if (mutation !== undefined) return noteMutation(mutation, effects)
  if (uploads === true) {
    const host = hostOf(url)
    note('send', 'a request that hands a file over', effects)
    return actsOn(effects, 'send', { kind: 'host', byName: true, names: [host, ...wordsIn(host)] })
  }
  if (verb === 'DELETE') {
    note('delete', 'a request that takes away', effects)
    const { kind, names, thing } = recordOf(url)
    return actsOn(effects, 'delete', { kind, names, thing })
  }
  // Searches and questions change nothing, whatever their method.
  if (asksGraph(body) || verb === 'GET' || verb === 'HEAD') return
  if (verb !== 'GET' && RIGHTS.test(body.slice(0, BODY_MAX))) {
    note('grant', 'a request that gives somebody rights', effects)
    return actsOn(effects, 'grant', { ...recordOf(url), kind: 'account' })
  }
  const path = pathOf(url)
  const row = ACTS.find((each) => each.methods.has(verb) && each.path.test(path))
  // Where a variable leads that the text does not set, only what its path says is known.
  if (!row || (row.act === 'overwrite' && url.startsWith('$'))) return
  note(row.act, row.reason, effects)
  const record = recordOf(url)
  // A task that gives the place of a record has it changed; a word of the place alone may be meant otherwise.
  if (row.act === 'overwrite') actsOn(effects, row.effect, { ...record, names: record.exact, byName: true })
  else if (row.act === 'send')
    actsOn(effects, 'send', { ...record, names: namesOfSending(record.names, body) })
  else actsOn(effects, row.effect, { ...record, kind: row.object })
}

/** To whom a message goes as the body says, and what is sent as the path says; the verb names nothing. */
const namesOfSending = (names: readonly string[], body: string): string[] => [
  ...(body.slice(0, BODY_MAX).match(ADDRESS) ?? []).slice(0, RECEIVERS_MAX),
  ...names.filter((name) => !SENDS_TO_MANY.test(name)),
]
const ADDRESS = longPattern('requests.ADDRESS')
const RECEIVERS_MAX = 4

function note(act: Act, reason: string, effects: Effects): void {
  raise(effects, { capability: 'network', reversibility: 'irreversible' }, reason, true)
  does(effects, act)
}

/** Members of a body that give somebody all rights. */
const RIGHTS = longPattern('requests.RIGHTS')

function isOfOthers(url: string, placeOf: ProgramRequest['placeOf']): boolean {
  const host = hostOf(url)
  return placeOf(url) !== 'local' && !KEEPS_NOTHING.has(host) && !OF_TRIAL.test(host)
}
/** A service beside it by its bare name, the machine of a container, and the domain of tests. */
const OF_TRIAL = longPattern('requests.OF_TRIAL')

/** The host of a URL as it is written, without its port; a variable stays one. */
const hostOf = (url: string): string => (HOST_OF.exec(url.slice(0, URL_MAX))?.[1] ?? '').toLowerCase()

const pathOf = (url: string): string =>
  url.slice(0, URL_MAX).replace(/^(?:[a-z][a-z\d+.-]{0,20}:\/\/)?[^/?#]{0,253}/i, '') || '/'

/** A record on a host, by its URL: a task names it by that, by its path or by the words and numbers in it. */
function recordOf(url: string): { kind: ObjectKind; exact: string[]; names: string[]; thing: string } {
  const path = pathOf(url).split(/[?#]/, 1)[0] ?? ''
  const parts = path.split('/').filter((part) => part !== '' && !OF_EVERY_API.test(part))
  const exact = [
    `${hostOf(url)}${path}`,
    ...(parts.length > 1 ? [parts.slice(-2).join('/')] : []),
    ...parts.filter((part) => /\d/.test(part) && part.length > 2).slice(-2),
  ]
  return {
    kind: 'record',
    exact,
    names: [...exact, ...parts.slice(-3).flatMap((part) => wordsIn(part))],
    thing: url.slice(0, 200),
  }
}
/** Parts of a path that name nothing. */
const OF_EVERY_API = longPattern('requests.OF_EVERY_API')

/** A query of GraphQL as a value of JSON, of a form, or alone. */
const GRAPH = longPattern('requests.GRAPH')

/** The mutation in a body; undefined if there is none. */
export function mutationIn(body: string): string | undefined {
  if (!/mutation/i.test(body)) return undefined
  const text = body.slice(0, BODY_MAX)
  const found = GRAPH.exec(text)
  const isOne = (found?.[1] ?? found?.[2])?.toLowerCase() === 'mutation'
  if (isOne) return text.slice(text.toLowerCase().indexOf('mutation', found?.index ?? 0))
  // Beside a query of the same document.
  return found && /[\s}]mutation\b[^"]{0,256}\{/.test(text)
    ? text.slice(text.search(/[\s}]mutation\b/))
    : undefined
}

/** Whether a body is a query of GraphQL. */
const asksGraph = (body: string): boolean =>
  body !== '' && /query/i.test(body.slice(0, BODY_MAX)) && GRAPHQL.test(body.slice(0, BODY_MAX))

const FIELD = longPattern('requests.FIELD')
/** The first field of a mutation, which may have neither arguments nor a selection. */
const FIRST_FIELD = longPattern('requests.FIRST_FIELD')
const CHANGES = readSet('arguments', 'requestsChanges')

/** Ids in a mutation that a task would repeat. */
const IDS = longPattern('requests.IDS')

/** Records what the fields of a mutation do: each is read as a tool of its name is. */
export function noteMutation(mutation: string, effects: Effects): void {
  raise(effects, { capability: 'network', reversibility: 'partial' }, 'a query that changes something', true)
  let left = FIELDS_MAX
  const [, first = ''] = FIRST_FIELD.exec(mutation) ?? []
  const fields = [first, ...[...mutation.matchAll(FIELD)].map(([, field = '']) => field)]
  for (const field of new Set(fields)) {
    if ((left -= 1) < 0) return
    if (field === 'mutation' || field === 'input') continue
    if (field === '') continue
    const words = wordsOf(field)
    const isChange = CHANGES.has(words[0] ?? '') || CHANGES.has(words.at(-1) ?? '')
    const act = actOfTool(field) ?? (isChange ? 'overwrite' : undefined)
    if (act === undefined) continue
    note(act, 'a query that changes something for others', effects)
    actsOn(effects, effectOfAct(act), {
      kind: 'record',
      names: [field, ...wordsIn(field), ...(mutation.slice(0, BODY_MAX).match(IDS) ?? []).slice(0, 4)],
      thing: field,
    })
  }
}

const GRAPHQL = longPattern('requests.GRAPHQL')

const HOST_OF = longPattern('requests.HOST_OF')

const SENDS_TO_MANY = longPattern('requests.SENDS_TO_MANY')
