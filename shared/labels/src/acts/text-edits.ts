import { patternOf, readSet, readTable, longPattern } from '../text/data.js'

/** Orders that are looked at, and characters that one is read on. */
const ORDERS_MAX = 64
const CLAUSE_MAX = 200
const WORDS_MAX = 10

/** What stands for an order to edit a text: it asks for no irreversible act. */
const EDIT = 'edit the text'

/**
 * A task without its orders that take something out of a text, or publish a text: *remove the data folder from .gitignore*, *delete the
 * comment about main*, *publish a blog post*. They order no deletion of the folder or branch, and no release of the package. The words
 * before the first preposition say what is taken away, and the words after *from* or *in* out of what. Linear in the task.
 *
 * @param kinds which such orders to take out; those that publish a text do ask for a publication, though of nothing else
 * @example withoutTextEdits('Remove the data folder from .gitignore and run the tests') // 'edit the text and run the tests'
 */
export function withoutTextEdits(task: string, kinds: 'taken' | 'published' = 'taken'): string {
  return kinds === 'published'
    ? without(task, PUBLISHES, publishesText)
    : without(without(task, TAKES, takesFromText), TAKEN, (clause, match) =>
        takesFromText(`${match.replace(ENDS_TAKEN, '')}${clause}`, ''),
      )
}

/** `text` without the clauses that begin with a match and are such an edit. */
function without(text: string, begins: RegExp, isEdit: (clause: string, match: string) => boolean): string {
  let left = ''
  let from = 0
  let orders = 0
  for (const match of text.matchAll(begins)) {
    if ((orders += 1) > ORDERS_MAX) break
    const [begin] = match
    const start = match.index
    if (start < from) continue
    const rest = text.slice(start + begin.length, start + begin.length + CLAUSE_MAX)
    const end = rest.search(CLAUSE_END)
    const clause = end < 0 ? rest : rest.slice(0, end)
    if (!isEdit(clause, begin.toLowerCase())) continue
    left += text.slice(from, start) + EDIT
    from = start + begin.length + clause.length
  }
  return from === 0 ? text : left + text.slice(from)
}

/** Words that only such orders of a task have: what they are about is edited, not lost. At most 64. */
export function wordsOfTextEdits(task: string): readonly string[] {
  const left = withoutTextEdits(task)
  if (left === task) return []
  const kept = new Set(namesIn(left))
  return [...new Set(namesIn(task))].filter((word) => !kept.has(word)).slice(0, EDITED_MAX)
}

const EDITED_MAX = 64
const namesIn = (text: string): readonly string[] => text.toLowerCase().match(/[a-z\d][\w-]*/g) ?? []

/**
 * The name of any package that is published. No text has it: a task that publishes a blog post has the word *publish* too. It stands for
 * the words of `PACKAGE_WORDS`.
 */
export const PACKAGE = 'publishedzqzpackage'

/** Whether a task names packages or their publication, but for that of a text: its fingerprints then hold `PACKAGE`. */
export const namesPackage = (task: string): boolean =>
  PACKAGE_WORDS.test(task) && PACKAGE_WORDS.test(withoutTextEdits(task, 'published'))
const PACKAGE_WORDS = longPattern('text-edits.PACKAGE_WORDS')

/** A dot inside a name ends nothing. */
const CLAUSE_END = longPattern('text-edits.CLAUSE_END')
const PREPOSITION = longPattern('text-edits.PREPOSITION')
/** `The comment about main should be removed`. */
const TAKEN = patternOf(readTable<string>('acts', 'takenOut'))
const ENDS_TAKEN = longPattern('text-edits.ENDS_TAKEN')
const TAKES = patternOf(readTable<string>('acts', 'takingOrders'))
const PUBLISHES = patternOf(readTable<string>('acts', 'publishingOrders'))

/** Whether what is taken away is a part of a text. */
function takesFromText(clause: string, verb: string): boolean {
  const cut = clause.search(PREPOSITION)
  const what = cut < 0 ? clause : clause.slice(0, cut)
  const last = lastWord(what)
  if (verb.startsWith('kill')) return NEVER_KILLED.has(last)
  if (verb.startsWith('clear') && NEVER_CLEARED.has(last)) return true
  const where = cut < 0 ? '' : clause.slice(cut)
  if (OF_RECORDS.test(where)) return false
  if (PARTS.has(last)) return !/[/\\]/.test(what)
  const [, place = ''] = OUT_OF.exec(where) ?? []
  if (place === '') return false
  if (TEXT_FILE.test(place)) return true
  // *The images from the docs* may be files of them.
  const holder = lastWord(place)
  return TEXTS.has(holder) && (!OF_FILES.has(last) || !FOLDERS.has(holder))
}

/** Whether what is published is a text and no package. */
const publishesText = (clause: string, verb: string): boolean => {
  const cut = clause.search(PREPOSITION)
  const last = lastWord(cut < 0 ? clause : clause.slice(0, cut))
  return PUBLISHED.has(last) || (verb.startsWith('release') && HELD.has(last))
}

function lastWord(phrase: string): string {
  // `import-2024` is a name.
  if (/[\w-]*[\d_-][\w-]*\s*$/.test(phrase.slice(-64))) return ''
  const words = phrase.toLowerCase().match(/[a-z]+/g) ?? []
  return words.length > WORDS_MAX ? '' : (words.at(-1) ?? '').replace(/(?<=[a-z]{2}[^s])s$/, '')
}

/** Records of other systems are no texts: *the comment on issue 12*. */
const OF_RECORDS = longPattern('text-edits.OF_RECORDS')
/** What something is taken out of: the words up to the next preposition. */
const OUT_OF = longPattern('text-edits.OUT_OF')
const TEXT_FILE = longPattern('text-edits.TEXT_FILE')
/** Parts of texts by their name alone. */
const PARTS = readSet('acts', 'textParts')
/** Texts, those that are folders too, and what stands as a file in one. */
const TEXTS = readSet('acts', 'texts')
const FOLDERS = readSet('acts', 'textsOfFiles')
const OF_FILES = readSet('acts', 'filesOfTexts')
/** What *kill* ends without a process. */
const NEVER_KILLED = readSet('acts', 'neverKilled')
/** What *clear* empties on a screen. */
const NEVER_CLEARED = readSet('acts', 'neverCleared')
/** Texts that are published, and what is released as it was held. */
const PUBLISHED = readSet('acts', 'publishedTexts')
const HELD = readSet('acts', 'held')
