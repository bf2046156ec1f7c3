import { longPattern } from '../../text/data.js'
import type { SyntaxNode, Word, WordPart } from 'unbash'
import type { Call, Loops } from './call.js'
import { isOpenWord, isPattern } from './word.js'

/** Words of one loop whose commands are read for each, and characters of a text in which its variable is sought. */
const VALUES_MAX = 8
const TEXT_MAX = 16_384

/**
 * `loops` within a loop over words that the text has: `for vm in win10 win7; do virsh undefine $vm; done`. A variable that the text sets in
 * another way too is not known.
 */
export function loopsWithin(node: SyntaxNode, loops: Loops | undefined, whole: string): Loops | undefined {
  if (node.type !== 'For' || node.wordlist === undefined || whole.length > TEXT_MAX) return loops
  const { name, wordlist } = node
  const isKnown =
    wordlist.length > 0 &&
    wordlist.length <= VALUES_MAX &&
    /^[A-Za-z_]\w{0,63}$/.test(name.value) &&
    wordlist.every(
      (word) => !isOpenWord(word) && !isPattern(word) && /^[\w./@:+%=][\w./@:+%=-]*$/.test(word.value),
    ) &&
    !new RegExp(
      `(?<![\\w$])${name.value}(?:\\[[^\\]]{0,64}\\])?\\+?=|\\b(?:read|mapfile|readarray|getopts|printf\\s{1,4}-v|for|unset)\\b[^;\\n]{0,128}?(?<![\\w$\{])${name.value}\\b(?!\\s{1,8}in\\s)`,
    ).test(whole)
  const others = new Map(loops)
  if (isKnown)
    others.set(
      name.value,
      wordlist.map(({ value }) => value),
    )
  else others.delete(name.value)
  return others
}

/** The command as it runs for each word of the loop that it is in; itself where it has none of the loop's variable. */
export function unrolled(
  call: Call,
  words: readonly (Word | undefined)[],
  loops: Loops | undefined,
): readonly Call[] {
  if (loops === undefined || loops.size === 0 || !call.open.includes(true)) return [call]
  const names = new Set(words.flatMap((word) => (word && isOpenWord(word) ? (variablesOf(word) ?? []) : [])))
  const [name, ...others] = [...names].filter((each) => loops.has(each))
  if (name === undefined || others.length > 0) return [call]
  const inValue = new RegExp(`\\$(?:\\{${name}\\}|${name}(?!\\w))`, 'g')
  return (loops.get(name) ?? []).map((value) => {
    const isFilled = words.map(
      (word) => word !== undefined && variablesOf(word)?.every((each) => each === name) === true,
    )
    return {
      ...call,
      args: call.args.map((arg, i) => (isFilled[i] === true ? arg.replaceAll(inValue, () => value) : arg)),
      open: call.open.map((isOpen, i) => isOpen && isFilled[i] !== true),
      loose: call.loose.map((each, i) => (isFilled[i] === true ? undefined : each)),
    }
  })
}

/** The plain variables of a word; undefined if it has other substitutions or patterns. */
function variablesOf(word: Word): readonly string[] | undefined {
  const names: string[] = []
  const parts = (word.parts ?? []).flatMap((each): readonly WordPart[] =>
    each.type === 'DoubleQuoted' ? each.parts : [each],
  )
  for (const part of parts) {
    if (part.type === 'Literal' || part.type === 'Glob') continue
    const name = PLAIN.exec(part.text)
    if (name === null) return undefined
    names.push(name[1] ?? name[2] ?? '')
  }
  return names
}
const PLAIN = longPattern('loops.PLAIN')
