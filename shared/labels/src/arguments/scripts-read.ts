import { longPattern } from '../text/data.js'
import type { CatalogueEntry } from '@plimsoll/contracts'
import { textOf } from '../text/text-of.js'
import { defaultReadingOf } from '../tools/values.js'
import { type Effects, type WrittenScript, createEffects } from './effects.js'
import { forgetPaths } from './paths.js'
import { reachesBeyond } from './scripts-beyond.js'
import { noteScript } from './scripts.js'
import { noteReading } from './shell/printed.js'
import { readShell } from './shell/read-shell.js'

/** Arguments of one call that may name scripts, and names in one of them. */
const ARGUMENTS_MAX = 32
const NAMES_MAX = 8
/** Characters of a result that are read. */
const TEXT_MAX = 20_480

/** Records the scripts that a tool is given by their paths, unless it runs programs: its result shows them. */
export function readScriptPaths(
  args: Readonly<Record<string, unknown>>,
  entry: CatalogueEntry | undefined,
  effects: Effects,
): void {
  if (entry?.labels.capability === 'execute') return
  let left = ARGUMENTS_MAX
  for (const name in args) {
    if ((left -= 1) < 0) return
    const value = args[name]
    if (typeof value === 'string') noteReading(value, defaultReadingOf(name) === 'path', effects)
    else if (Array.isArray(value))
      for (const each of value.slice(0, NAMES_MAX))
        if (typeof each === 'string') noteReading(each, false, effects)
  }
}

/**
 * What scripts do beyond the own project, by what a result shows of them: known harm alone, as a result may be a part, and may come from
 * anywhere. Text with line numbers, or within JSON, is read without. Linear in the text.
 */
export function readScripts(paths: readonly string[], result: string): readonly WrittenScript[] {
  const effects = createEffects()
  const text = plainText(result.slice(0, TEXT_MAX))
  try {
    for (const path of paths)
      noteScript(
        path,
        text,
        false,
        effects,
        (command, own) => readShell(command, own, undefined),
        reachesBeyond,
      )
  } finally {
    forgetPaths()
  }
  return effects.scripts
}

/** The text of a file as a tool shows it. */
function plainText(shown: string): string {
  const text = /^\s{0,8}[{[]/.test(shown) ? withinJson(shown) : shown
  const lines = text.split('\n')
  const numbered = lines.filter((line) => NUMBERED.test(line)).length
  const isNumbered = numbered > 0 && 2 * numbered >= lines.filter((line) => line.trim() !== '').length
  // What stands around numbered lines is the tool's.
  const plain = isNumbered
    ? lines.map((line) => (NUMBERED.test(line) ? line.replace(NUMBERED, '') : ''))
    : lines.map((line) => line.replace(MEMBER, ''))
  return plain.join('\n')
}
const NUMBERED = longPattern('scripts-read.NUMBERED')
/** A text beside its name, as results of tools are written out. */
const MEMBER = longPattern('scripts-read.MEMBER')

/** The texts of a result that is JSON; a manifest stays as it is. */
function withinJson(text: string): string {
  try {
    const value = JSON.parse(text) as unknown
    const isManifest = typeof value === 'object' && value !== null && 'scripts' in value
    return isManifest ? text : textOf(value)
  } catch {
    return text
  }
}
