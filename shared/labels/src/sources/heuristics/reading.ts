import type { ToolDefinition } from '../tool-definition.js'
import { CHARS_MAX, wordsOf } from '../words-of.js'
import { actionOfVerb, type Action } from './actions.js'
import { thingsIn, type Thing } from './things.js'

/** What a tool's name, description and schema say, in the words of the tables. */
export interface Reading {
  readonly name: readonly string[]
  readonly description: readonly string[]
  /** The description as it stands. */
  readonly text: string
  /** The name's verb, else the description's; undefined where neither has one that is known. */
  readonly verb:
    { readonly word: string; readonly action: Action; readonly from: 'name' | 'description' } | undefined
  /** What the verb is done to. */
  readonly objects: readonly Thing[]
  /** Everything that the name speaks of. */
  readonly named: readonly Thing[]
  readonly objectsFrom: 'name' | 'description' | 'nowhere'
  /** An argument is an address of the web. */
  readonly takesUrl: boolean
}

/** What follows tells by what, where or for whom: not what it is done to. */
const PREPOSITIONS = new Set(['by', 'in', 'for', 'from', 'to', 'with', 'of', 'on', 'at'])
/** Words of a description that are looked at for its verb and its object. */
const FIRST_WORDS = 12

export function readingOf({ name, description = '', inputSchema }: ToolDefinition): Reading {
  const nameWords = wordsOf(name).filter((word) => word !== 'mcp')
  const descriptionWords = wordsOf(description)
  const opening = descriptionWords.slice(0, FIRST_WORDS)
  const verb = verbIn(nameWords, 'name') ?? verbIn(opening, 'description')
  // What is done is nothing that it is done to: `post_page` is about no post.
  const isThing = (word: string): boolean => word !== verb?.word
  const named = thingsIn(nameWords.filter(isThing))
  const head = thingsIn(beforePreposition(nameWords).filter(isThing))
  const described = thingsIn(opening)
  return {
    name: nameWords,
    description: descriptionWords,
    text: description.slice(0, CHARS_MAX),
    verb,
    objects: head.length > 0 ? head : named.length > 0 ? named : described,
    named: named.length > 0 ? named : described,
    objectsFrom: named.length > 0 ? 'name' : described.length > 0 ? 'description' : 'nowhere',
    takesUrl: takesUrl(inputSchema),
  }
}

function beforePreposition(words: readonly string[]): readonly string[] {
  const at = words.findIndex((word) => PREPOSITIONS.has(word))
  return at > 0 ? words.slice(0, at) : words
}

function verbIn(words: readonly string[], from: 'name' | 'description'): Reading['verb'] {
  for (const word of words) {
    const action = actionOfVerb(word)
    if (action) return { word, action, from }
  }
  return undefined
}

function takesUrl(schema: unknown): boolean {
  const properties = membersOf(membersOf(schema)['properties'])
  return Object.entries(properties).some(
    ([name, property]) =>
      /^(?:.*_)?(?:url|uri|href|endpoint)s?$/i.test(name.slice(0, 100)) ||
      membersOf(property)['format'] === 'uri',
  )
}

const membersOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
