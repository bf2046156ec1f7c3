import { readSet, longPattern } from '../text/data.js'

/** What the commands of a text do, by their names, options and redirections; counts. */
export interface CommandActs {
  /** 1 if the text only looks at things. */
  looks: number
  inspects: number
  runs: number
  writes: number
  writesCode: number
  writesLog: number
  writesData: number
  inline: number
  edits: number
  removes: number
  forces: number
}

const LOOKING = readSet('conduct', 'looking')
const SHOWING = readSet('conduct', 'showing')
const SHELLS = readSet('conduct', 'shells')
const INLINE = readSet('conduct', 'inline')

const TOKEN = longPattern('commands.TOKEN')
const SCRIPT = longPattern('commands.SCRIPT')
const FORCING = longPattern('commands.FORCING')
/** Files opened to be written: `open('report.json', 'w')`. */
const OPENED = longPattern('commands.OPENED')

/**
 * Reads `text` in one pass as a command line of any shell, roughly: what counts is which of two sessions does more of it. What a step may do
 * at the most is read by the readers of `arguments`.
 */
export function readCommands(text: string): CommandActs {
  const acts = { ...NO_ACTS }
  let command = ''
  let isFirst = true
  let looksOnly = true
  let isWriting = false
  for (const token of text.match(TOKEN) ?? []) {
    const first = token.charCodeAt(0)
    if (first === GREATER) {
      isWriting = true
      continue
    }
    if (token === '<<') {
      acts.inline++
      continue
    }
    if (SEPARATORS.has(first)) {
      command = ''
      isFirst = true
      continue
    }
    if (isWriting) {
      isWriting = false
      if (!token.startsWith('/dev/')) write(acts, token)
      continue
    }
    if (isFirst) {
      if (token.includes('=') || token.startsWith('#')) continue
      if (first === MINUS) {
        if (INLINE.has(token)) acts.inline++
        continue
      }
      command = token.slice(token.lastIndexOf('/') + 1)
      isFirst = SHELLS.has(command)
      if (SCRIPT.test(token)) acts.runs++
      if (!isFirst && command !== 'cd') looksOnly &&= LOOKING.has(command)
      if (command === 'rm') acts.removes++
      continue
    }
    if (SHOWING.has(command) && SCRIPT.test(token)) acts.inspects++
    if (token === '-i' && command === 'sed') acts.edits++
    if (command === 'tee' && first !== MINUS) write(acts, token)
    if (FORCING.test(token)) acts.forces++
  }
  if (text.includes('open(')) for (const [, path = ''] of text.matchAll(OPENED)) write(acts, path)
  if (acts.edits > 0) acts.writes++
  acts.looks = looksOnly && acts.writes === 0 && command !== '' ? 1 : 0
  return acts
}

const GREATER = 62
const MINUS = 45
const SEPARATORS: ReadonlySet<number> = new Set(Array.from(';|&\n()', (letter) => letter.charCodeAt(0)))

export const NO_ACTS: Readonly<CommandActs> = Object.freeze({
  looks: 0,
  inspects: 0,
  runs: 0,
  writes: 0,
  writesCode: 0,
  writesLog: 0,
  writesData: 0,
  inline: 0,
  edits: 0,
  removes: 0,
  forces: 0,
})

function write(acts: CommandActs, path: string): void {
  if (path.length < 3 || path.startsWith('$')) return
  acts.writes++
  if (SCRIPT.test(path)) acts.writesCode++
  if (/log/i.test(path)) acts.writesLog++
  if (/\.(?:json|csv|txt|ya?ml|md)$/i.test(path)) acts.writesData++
}
