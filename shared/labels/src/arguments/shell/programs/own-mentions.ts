import { longPattern } from '../../../text/data.js'
import { type Call, operandsOf } from '../call.js'
import { isOperatorsOnly, isProgram, mayBeOperatorsOnly } from './own-controls.js'

/** Mentions of one text that are looked at, and characters on each side of one. */
const MENTIONS_MAX = 64
const BESIDE_MAX = 256
/** Words behind a mention that are looked at. */
const WORDS_MAX = 8

const OF_WORD = /[\w.~@:/\\+-]/
const SEPARATORS = /[\s"'`,()[\]{};|&<>=\\!]+/
/** What stands before a program in a command line or in code: a border of commands, a quote, a word that starts the next one. */
const BEFORE = longPattern('own-mentions.BEFORE')

/** Commands by which the shell of a database runs programs. */
const DATABASE_SHELL = /\\!|\bsystem\b|\.shell\b/

/** Whether a text has Plimsoll at all: most do not. */
export const mentionsOwn = (text: string): boolean => OWN.test(text)
const OWN = /plimsoll/i

/**
 * Whether a text runs a command for operators where its words are run: it has Plimsoll's program in the place of a program, with such a
 * command behind it, also in quotes and lists (`spawn('plimsoll', ['approve'])`). Prose has it elsewhere. Linear.
 */
export function runsOwnControl(text: string): boolean {
  let left = MENTIONS_MAX
  let isNamed = false
  for (const { index } of text.matchAll(EACH)) {
    if ((left -= 1) < 0) return true
    let from = index
    let to = index
    while (from > 0 && index - from < BESIDE_MAX && OF_WORD.test(text.charAt(from - 1))) from -= 1
    while (to < text.length && to - index < BESIDE_MAX && OF_WORD.test(text.charAt(to))) to += 1
    if (!isProgram(text.slice(from, to)) || !BEFORE.test(text.slice(Math.max(0, from - 32), from))) continue
    const words = text
      .slice(to, to + BESIDE_MAX)
      .split(SEPARATORS)
      .filter((word) => word !== '')
    if (isOperatorsOnly(words.slice(0, WORDS_MAX))) return true
    isNamed ||= /["'`]/.test(text.charAt(from - 1))
  }
  // A program may keep both apart: `p = 'plimsoll'; run([p, 'approve'])`.
  return isNamed && QUOTED_WORD.test(text)
}
const EACH = /plimsoll/gi
const QUOTED_WORD = longPattern('own-mentions.QUOTED_WORD')

/** Options whose value is text for people, or names tests. */
const OF_TEXT = longPattern('own-mentions.OF_TEXT')
const OF_TESTS = /^-[tkg]$/
const TESTERS = longPattern('own-mentions.TESTERS')
/** Programs that send or keep text, with the words in it or before it by which they run some. */
const KEEPS_TEXT: Readonly<Record<string, RegExp>> = {
  git: longPattern('own-mentions.RUNS_OF_GIT'),
  gh: /^(?:alias|extension|codespace)$/,
  glab: /^alias$/,
  psql: DATABASE_SHELL,
  mysql: DATABASE_SHELL,
  mariadb: DATABASE_SHELL,
  sqlite3: DATABASE_SHELL,
  curl: /^$/,
  wget: /^$/,
}

/**
 * Whether a command that may start others runs a command for operators by its words: beside each other (`uvx plimsoll approve x`), or within
 * one (`script -c 'plimsoll approve x'`).
 */
export function startsOwnControl({ name, args, fed }: Call): boolean {
  const running = KEEPS_TEXT[name]
  if (running && !args.some((arg) => running.test(arg)) && !(fed !== undefined && running.test(fed)))
    return false
  if (fed !== undefined && runsOwnControl(fed)) return true
  return args.some((arg, i) => {
    if (!OWN.test(arg)) return false
    const before = args[i - 1] ?? ''
    if (isProgram(arg)) return mayBeOperatorsOnly(args, i)
    const isText = OF_TEXT.test(arg) || OF_TEXT.test(before) || (OF_TESTS.test(before) && TESTERS.test(name))
    return !isText && runsOwnControl(arg.replace(/^--?[\w-]{1,32}=/, ''))
  })
}

/** Whether a command gives Plimsoll's program another name: an alias, a link, a copy. */
export function renamesOwn(call: Call): boolean {
  const { name, args } = call
  if (name === 'alias' || name === 'doskey' || name === 'Set-Alias' || name === 'New-Alias')
    return args.some((arg) => isProgram(wordOfAlias(arg)) || RESOLVED.test(arg))
  if (name !== 'ln' && name !== 'cp' && name !== 'mv' && name !== 'install') return false
  const operands = operandsOf(call)
  const to = operands.at(-1) ?? ''
  if (isProgram(to) || to.endsWith('/')) return false
  return operands
    .slice(0, -1)
    .some((from) => RESOLVED.test(from) || IN_BIN.test(from) || (name === 'ln' && isProgram(from)))
}

const wordOfAlias = (arg: string): string =>
  arg
    .slice(arg.indexOf('=') + 1)
    .trim()
    .split(/\s/)
    .at(-1) ?? ''
const RESOLVED = longPattern('own-mentions.RESOLVED')
const IN_BIN = longPattern('own-mentions.IN_BIN')
