import { longPattern } from '../text/data.js'
import { type Call, createEffects } from './effects.js'
import { quoted } from './shell/call.js'
import { noteDoubtful } from './shell/own-folders.js'
import { readShell } from './shell/read-shell.js'

/** Characters of a patch that are read, and files of it. */
const PATCH_MAX = 262_144
const FILES_MAX = 256

const BEGIN = /^\s{0,64}\*\*\* Begin Patch/
const FILE = longPattern('patch.FILE')

/**
 * Records what a patch in the form of Codex does to which files: it is one text, without arguments that name them. A file that it adds or
 * changes is written, others are deleted.
 */
export function readPatch(args: Readonly<Record<string, unknown>>, call: Call): void {
  if (call.worst?.capability !== 'write') return
  for (const value of Object.values(args)) {
    if (typeof value !== 'string' || !BEGIN.test(value)) continue
    const files = [...value.slice(0, PATCH_MAX).matchAll(FILE)]
    if (value.length > PATCH_MAX || files.length > FILES_MAX) call.effects.complete = false
    for (const [, act, path = ''] of files.slice(0, FILES_MAX)) {
      const isDeleted = act === 'Delete File'
      const words = isDeleted ? ['rm', path.trim()] : ['tee', '-a', path.trim()]
      if (!isDeleted || losesMore(words, call)) readShell(quoted(words), call.effects, call.organisation)
    }
  }
}

/** Whether a deletion loses more than a file of the project, whose loss is a change like others of a patch. */
function losesMore(words: readonly string[], { effects, organisation }: Call): boolean {
  const own = createEffects(effects.world)
  readShell(quoted(words), own, organisation)
  for (const path of own.doubtful) noteDoubtful(path, effects)
  return own.signals.doesDelete !== undefined || own.objects.length > 0 || own.tags.length > 0
}
