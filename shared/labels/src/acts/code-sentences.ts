import { readSet } from '../text/data.js'

/** Words from the beginning of a sentence to the colon behind its topic, and from an article to what a thing is. */
const TOPIC_MAX = 4
const PHRASE_MAX = 4

/**
 * The places of words in sentences that are about code as a whole: by their topic (*map view: remove the small clusters*), or because they
 * say what they mean (*remove the Bucket, that is the old column component*). Linear in the words.
 *
 * @param words those of a task, in lower case, with its punctuation
 * @param isPart whether a word is the name of a part of code or of a page
 */
export function wordsOfCodeSentences(
  words: readonly string[],
  isPart: (word: string) => boolean,
): readonly number[] {
  const found: number[] = []
  let start = 0
  for (let end = 0; end <= words.length; end++) {
    if (end < words.length && !ENDS.has(words[end] ?? '')) continue
    const sentence = words.slice(start, end)
    if (hasTopic(sentence, isPart) || saysWhat(sentence, isPart))
      for (let i = start; i < end; i++) found.push(i)
    start = end + 1
  }
  return found
}
const ENDS: ReadonlySet<string> = new Set(['.', ';', '!', '?', '\n'])

function hasTopic(sentence: readonly string[], isPart: (word: string) => boolean): boolean {
  const at = sentence.indexOf(':')
  const last = sentence[at - 1] ?? ''
  return at > 0 && at <= TOPIC_MAX && (isPart(last) || TOPICS.has(last))
}
/** Parts of pages that other things are called too. */
const TOPICS = readSet('acts', 'pageTopics')

const saysWhat = (sentence: readonly string[], isPart: (word: string) => boolean): boolean =>
  sentence.some((word, i) => {
    const article = IS.has(word) ? i + 1 : THIS.has(word) && sentence[i + 1] === 'is' ? i + 2 : -1
    if (article < 0 || !ARTICLES.has(sentence[article] ?? '')) return false
    const phrase = sentence.slice(article + 1, article + 1 + PHRASE_MAX)
    return phrase.some(
      (each, j) => isPart(each) && phrase.slice(0, j).every((before) => /^\p{L}/u.test(before)),
    )
  })
const IS: ReadonlySet<string> = new Set(["that's", 'thats', "it's", 'its'])
const THIS: ReadonlySet<string> = new Set(['that', 'which', 'it', 'this'])
const ARTICLES: ReadonlySet<string> = new Set(['the', 'a', 'an', 'our', 'my'])
