import { longPattern } from '../../text/data.js'
import { actionOfVerb } from '../../tools/heuristics/actions.js'
import { wordsOf } from '../../tools/words-of.js'
import { type Effects, does, raise } from '../effects.js'

/** Longer texts are read by their beginning, in characters. */
const TEXT_MAX = 16_384
/** Fields of a mutation that are read. */
const FIELDS_MAX = 64

const MUTATION = /^\s{0,64}mutation\b/
/** A field that a mutation calls: `deleteUser(`, `alias: deleteUser {`. */
const FIELD = longPattern('other-queries.FIELD')

/** Commands of MongoDB as JSON, calls of its shell and of Gremlin, operations of Elasticsearch, updates of SPARQL and Cypher. */
const TAKES_AWAY: readonly RegExp[] = [
  longPattern('other-queries.MONGO_COMMAND'),
  longPattern('other-queries.MONGO_METHOD'),
  longPattern('other-queries.ELASTIC'),
  longPattern('other-queries.UPDATES_OF_SPARQL'),
  longPattern('other-queries.CYPHER'),
  longPattern('other-queries.REDIS'),
]

/**
 * Raises by a query in another language than SQL: GraphQL, MongoDB, Elasticsearch, SPARQL, Cypher, Gremlin, Redis. Only what certainly
 * changes or takes away raises something; whatever else it may be, it is no reading that is understood. Linear in the text.
 */
export function readOtherQuery(given: string, effects: Effects): void {
  const text = given.length > TEXT_MAX ? given.slice(0, TEXT_MAX) : given
  if (MUTATION.test(text)) return readMutation(text, effects)
  if (TAKES_AWAY.some((form) => form.test(text))) takeAway(effects)
}

function readMutation(text: string, effects: Effects): void {
  raise(effects, { capability: 'write', reversibility: 'partial' }, 'a query that changes something')
  let left = FIELDS_MAX
  for (const [, field = ''] of text.matchAll(FIELD)) {
    if ((left -= 1) < 0) return
    if (wordsOf(field).some((word) => actionOfVerb(word) === 'destroy')) return takeAway(effects)
  }
}

function takeAway(effects: Effects): void {
  raise(effects, { capability: 'write', reversibility: 'irreversible' }, 'a query that takes away')
  does(effects, 'delete')
}
