import type { ToolDefinition } from '../claim.js'
import { CHARS_MAX, wordsOf } from '../words-of.js'
import { type Action, SEVERITY, actionOfVerb, isNoun } from './actions.js'
import { type Schema, schemaOf } from './schema.js'
import { type Thing, thingsIn } from './things.js'
import { readSet, longPattern } from '../../text/data.js'

/** A verb and where it was found. */
export interface Verb {
  readonly word: string
  readonly action: Action
  readonly from: 'name' | 'description' | 'schema'
}

/** The name, description and schema of a tool, looked up in the tables. */
export interface Reading {
  readonly name: readonly string[]
  readonly description: readonly string[]
  /** The unmodified description. */
  readonly text: string
  /** The worst of the name's verbs, else the description's; undefined if neither has a known verb. */
  readonly verb: Verb | undefined
  /** The verb that the description begins with: `Deletes a page`. */
  readonly opening: Verb | undefined
  /** The objects of the verb. */
  readonly objects: readonly Thing[]
  /** All things that the name mentions. */
  readonly named: readonly Thing[]
  readonly objectsFrom: 'name' | 'description' | 'nowhere'
  readonly schema: Schema
}

/** The words after these are not the object of the verb. */
const PREPOSITIONS = new Set(['by', 'in', 'for', 'from', 'to', 'with', 'of', 'on', 'at'])
/** Words of a description that are searched for its verb and object. */
const FIRST_WORDS = 12
/** Words that may come before the verb of a description. */
const BEFORE_VERB = 6

export function readingOf({ name, description = '', inputSchema }: ToolDefinition): Reading {
  const nameWords = wordsOf(name).filter((word) => word !== 'mcp')
  // A plural is not a verb: `list_updates` updates nothing, and `posts_delete` posts nothing.
  const plural = (word: string, i: number): boolean =>
    (i > 0 || isNoun(word)) && rawOf(name)[i]?.endsWith('s') === true && !word.endsWith('s')
  const text = sentencesOf(description)
  const descriptionWords = wordsOf(text)
  const opening = descriptionWords.slice(0, FIRST_WORDS)
  const described = openingVerb(opening)
  const verb = verbOfName(nameWords, plural, described) ?? described ?? verbIn(opening, 'description')
  // The verb is not its own object: `post_page` is not about a post.
  const isThing = (word: string): boolean => word !== verb?.word
  const named = thingsIn(nameWords.filter(isThing))
  const head = thingsIn(beforePreposition(nameWords).filter(isThing))
  const fromText = thingsIn(opening)
  return {
    name: nameWords,
    description: descriptionWords,
    text: description.slice(0, CHARS_MAX),
    verb,
    opening: described,
    objects: head.length > 0 ? head : named.length > 0 ? named : fromText,
    named: named.length > 0 ? named : fromText,
    objectsFrom: named.length > 0 ? 'name' : fromText.length > 0 ? 'description' : 'nowhere',
    schema: schemaOf(inputSchema),
  }
}

/**
 * Removes everything but sentences: headings, symbols, owners (`your token's bot` is about a bot). A name of two words in one (`WordPress`)
 * stays one word.
 */
const sentencesOf = (description: string): string =>
  description
    .slice(0, CHARS_MAX)
    .replaceAll(/\b[A-Z][a-z]{1,24}[A-Z][A-Za-z]{1,24}\b/g, (name) => name.toLowerCase())
    .replaceAll(/\b[\w-]+['’]s\b/g, ' ')
    .replaceAll(/^\s*(?:[\w -]{1,24}\|)+/g, ' ')
    .replaceAll(OF_DESCRIPTION, ' ')

const rawOf = (name: string): string[] =>
  name
    .slice(0, CHARS_MAX)
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .match(/[a-z\d]+/g)
    ?.filter((word) => word !== 'mcp') ?? []

function beforePreposition(words: readonly string[]): readonly string[] {
  const at = words.findIndex((word) => PREPOSITIONS.has(word))
  return at > 0 ? words.slice(0, at) : words
}

/** HTTP methods, which begin names generated from an API's paths. */
const METHODS: ReadonlySet<string> = new Set(['post', 'put', 'patch', 'get', 'delete'])
/** First words that make a name a question, if nothing is joined to it. */
const QUESTIONS = readSet('tools', 'questions')
const JOINS = ['and', 'or', 'then', 'else']
const LOOKS: ReadonlySet<Action> = new Set(['think', 'look'])

/** The worst verb of the name. */
function verbOfName(
  words: readonly string[],
  isPlural: (word: string, i: number) => boolean,
  described: Verb | undefined,
): Verb | undefined {
  const verbs: Verb[] = []
  for (const [i, word] of words.entries()) {
    const action = actionOfVerb(word)
    if (!action || isPlural(word, i) || isOfRequest(words, i)) continue
    const isJoined = words[i - 1] === 'and' || words[i - 1] === 'or'
    if (verbs.length === 0 || isJoined || !isNoun(word)) verbs.push({ word, action, from: 'name' })
  }
  const [first, ...rest] = verbs
  if (!first) return undefined
  // `can_send_mms` asks whether it can.
  if (QUESTIONS.has(words[0] ?? '') && !JOINS.some((word) => words.includes(word)))
    return { word: words[0] ?? '', action: 'look', from: 'name' }
  if (first.word === 'post') {
    // `post-search` searches with POST and `post-page` creates a page with it, but `post_message` posts a message.
    const look = words.map((word) => actionOfVerb(word)).includes('look')
    if (look && rest.every(({ action }) => LOOKS.has(action)))
      return { word: 'post', action: 'look', from: 'name' }
    if (
      described &&
      !METHODS.has(described.word) &&
      described.action !== 'tell' &&
      described.action !== 'send'
    )
      return { ...described, from: 'name' }
  }
  return rest.reduce((worst, verb) => (rankOf(verb.action) > rankOf(worst.action) ? verb : worst), first)
}

/** `pull_request_read` pulls nothing. */
const isOfRequest = (words: readonly string[], i: number): boolean =>
  [i, i - 1].some((at) => (words[at] === 'pull' || words[at] === 'merge') && words[at + 1] === 'request')

const rankOf = (action: Action): number => SEVERITY.indexOf(action)

function openingVerb(words: readonly string[]): Verb | undefined {
  const at = words.slice(0, BEFORE_VERB).findIndex((word) => actionOfVerb(word) !== undefined)
  const verb = verbIn(words.slice(0, BEFORE_VERB), 'description')
  if (!verb || (isNoun(verb.word) && at > 0 && verb.word !== 'return')) return undefined
  // `Returns the log`, or `Runs a query`, which only looks.
  const looks =
    verb.word === 'return' ||
    (DOES.has(verb.word) &&
      words.slice(at + 1, at + 5).some((word) => INQUIRIES.has(word)) &&
      !words.some((word) => QUERY_CHANGES.has(word)))
  return looks ? { ...verb, action: 'look' } : verb
}

const DOES: ReadonlySet<string> = new Set(['run', 'execute', 'perform', 'make'])
const INQUIRIES = readSet('tools', 'inquiries')
/** Words of descriptions by which a query changes something. */
export const QUERY_CHANGES = readSet('tools', 'queryChanges')

function verbIn(words: readonly string[], from: Verb['from']): Verb | undefined {
  for (const word of words) {
    const action = actionOfVerb(word)
    if (action) return { word, action, from }
  }
  return undefined
}

const OF_DESCRIPTION = longPattern('reading.OF_DESCRIPTION')
