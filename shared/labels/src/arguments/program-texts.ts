import type { Organisation } from '@plimsoll/contracts'
import { readCalls } from './code-calls.js'
import { readRunTexts } from './code-strings.js'
import { type CommandReader, type Effects, raise } from './effects.js'
import { pathKindOf } from './paths.js'
import { noteRequest } from './requests.js'
import { noteRunsLater } from './runs-later.js'
import { quoted } from './shell/call.js'
import { noteDoor, noteReplacedStartup } from './shell/programs/doors.js'
import { readPossibleSql } from './sql/read-sql.js'
import { placeOf } from './web.js'

/**
 * Reads what a program runs, writes, moves, asks other hosts for and gives to a database, each by the reader of the same act elsewhere, so
 * that it has the effects of the command that does the same. Linear in the text.
 *
 * @param read reads a command line into the given effects
 * @param writes whether the program runs now, so that what it writes is written
 */
export function readProgramTexts(
  text: string,
  effects: Effects,
  organisation: Organisation | undefined,
  read: CommandReader,
  writes = true,
): void {
  const shell = (words: readonly string[]): void =>
    read(words.length === 1 ? (words[0] ?? '') : quoted(words), effects)
  const written = (path: string, content?: string, isWhole = false): void => {
    if (!writes) return
    const { writes: labels, name } = pathKindOf(path)
    if (labels.capability === 'network') raise(effects, labels, `code that writes ${name}`)
    noteDoor(path, effects)
    if (isWhole) noteReplacedStartup(path, effects)
    if (content !== undefined) noteRunsLater(path, content, effects, read)
  }
  readRunTexts(text, { shell, sql: (statement) => readPossibleSql(statement, effects), written })
  readCalls(text, {
    command: shell,
    written,
    request: (request) =>
      noteRequest({ ...request, placeOf: (url) => placeOf(url, organisation) ?? 'outside' }, effects),
  })
}
