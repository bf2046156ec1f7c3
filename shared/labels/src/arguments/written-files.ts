import { longPattern } from '../text/data.js'
import { newVersions } from './new-versions.js'
import { isDataFile } from './paths.js'
import { type Call, type Effects, createEffects, does, labelsOf, raise, signal } from './effects.js'
import { isLooseText, isLooserTest } from './limits/loosened.js'
import { noteLoosened, wordsOfName } from './limits/names-of-change.js'
import { actsOnPath } from './objects.js'
import { noteGuardsOff } from './guards-off.js'
import { noteOwnSettings } from './own-settings.js'
import { noteRunsLater } from './runs-later.js'
import { noteDoor, noteReplacedStartup, noteStartupFile } from './shell/programs/doors.js'
import { noteScript } from './scripts.js'
import { noteClaimed, noteOwn } from './shell/own-folders.js'
import { isDatabase, noteEmptied } from './shell/programs/deletions.js'
import { readShell } from './shell/read-shell.js'
import { dropsChecks, isPipeline, letsPass, noteLooser, noteWritten } from './written-code.js'

/**
 * Records what a tool that writes files writes, and where: code that runs later, what lets others in, scripts of a manifest. Its arguments
 * without paths are the text. Two paths without text are a copy, whose text is unknown; one path alone is a folder or a deletion.
 *
 * @param creates whether the tool makes new files, by its name
 */
export function readWrittenFiles(args: Readonly<Record<string, unknown>>, call: Call, creates = false): void {
  if (call.worst?.capability !== 'write') return
  const edits = editsIn(args)
  const own = Object.entries(args).filter(isText)
  const values = [...own, ...(edits ?? []).flatMap((edit) => Object.entries(edit).filter(isText))]
  const paths = own.filter(isPath).map(([, path]) => path)
  // What stands in other lists is not read.
  const isNested =
    Object.values(args).some(
      (value) => typeof value === 'object' && value !== null && value !== args[EDITS],
    ) ||
    (args[EDITS] !== undefined && edits === undefined)
  if (isNested && !paths.every((path) => isDataFile(path))) signal(call.effects, 'code', 1)
  const texts = values.filter((value) => !isPath(value)).map(([, text]) => text)
  if (texts.length === 0 && paths.length < 2) return
  const added = values.filter((value) => !isPath(value) && !OLD_NAME.test(value[0])).map(([, text]) => text)
  // Of several texts one usually replaces another, so the rest of the file is unknown.
  const written = texts.length === 1 && !values.some(([name]) => PART_NAME.test(name)) ? texts[0] : undefined
  const isLoose = written === undefined ? isLooseEdit(values, paths) : false
  if (isLoose) noteLoosened(call.effects)
  const reading = (command: string, own: Effects): void => readShell(command, own, call.organisation)
  // `command: view` of an editor is no text.
  const isWritten = values.some((value) => !isPath(value) && !CHOICE_NAME.test(value[0]))
  const isNew = creates || values.some(([, value]) => value === 'create')
  for (const path of paths.length > 0 ? paths : [UNKNOWN_PATH]) {
    const replaced = values.filter(([name]) => OLD_NAME.test(name)).map(([, text]) => text)
    const version =
      replaced.length === 1 && added.length === 1 && !isNested
        ? newVersions(replaced[0] ?? '', added[0] ?? '')
        : undefined
    noteWritten(
      path,
      written,
      call.effects,
      isWritten,
      added.length > 0 ? added.join('\n') : undefined,
      version,
    )
    if (isWritten && isPipeline(path)) noteLooserPipeline(values, call)
    const known = call.effects.objects.length
    if (isWritten) noteDoor(path, call.effects)
    if (isWritten) noteGuardsOff(path, replaced.join('\n'), added.join('\n'), call.effects)
    // A tool that makes new files fails where one is; another writes over it.
    if (isWritten && written !== undefined && paths.length === 1)
      (isNew ? noteOwn : noteClaimed)(path, call.effects)
    if (isWritten && !isNew && written !== undefined && (written.trim() === '' || isDatabase(path)))
      noteEmptied(path, call.effects)
    if (isWritten && written !== undefined && paths.length === 1 && leavesOut(written))
      noteLeftOut(path, call.effects)
    for (const text of added) {
      if (isWritten) noteOwnSettings(path, text, call.effects)
      noteRunsLater(path, text, call.effects, reading)
      if (isWritten) noteScript(path, text, text === written, call.effects, reading)
    }
    if (isWritten && call.effects.objects.length === known) {
      if (written === undefined) noteStartupFile(path, added.join('\n'), call.effects)
      else noteReplacedStartup(path, call.effects)
    }
    if (MANIFEST.test(path)) for (const text of added) noteScripts(text, call)
  }
}

const isText = (entry: readonly [string, unknown]): entry is [string, string] => typeof entry[1] === 'string'

/** Where tools take several edits of one file: `edits: [{ old_string, new_string }]`. */
const EDITS = 'edits'
const EDITS_MAX = 64

/** The edits of a call, if each is a record of texts, numbers and choices; undefined if it has none, or more than are read. */
function editsIn(args: Readonly<Record<string, unknown>>): readonly object[] | undefined {
  const edits = args[EDITS]
  if (!Array.isArray(edits) || edits.length > EDITS_MAX) return undefined
  const isPlain = edits.every(
    (edit: unknown) =>
      typeof edit === 'object' &&
      edit !== null &&
      Object.values(edit).every((value) => value === null || typeof value !== 'object'),
  )
  return isPlain ? (edits as object[]) : undefined
}

/** Records that a whole file is written with a note where the rest of it was. */
function noteLeftOut(path: string, effects: Effects): void {
  raise(
    effects,
    { reversibility: 'irreversible' },
    'a part of a file is replaced with a note that leaves it out',
  )
  does(effects, 'overwrite')
  actsOnPath(effects, 'change', path)
}

/** Whether a text says that a part of it was left out: `(unchanged)`, `# rest of the file`, `// ... existing code ...`. */
const leavesOut = (text: string): boolean => text.length <= TEXT_MAX && LEFT_OUT.test(text)
const TEXT_MAX = 65_536
const LEFT_OUT = longPattern('written-files.LEFT_OUT')

/** Whether the new text of an edit leaves tests out that the old one ran, or changes nothing but the numbers of a test. */
function isLooseEdit(values: readonly (readonly [string, string])[], paths: readonly string[]): boolean {
  const isOld = ([name]: readonly [string, string]): boolean => OLD_NAME.test(name)
  const before = values
    .filter(isOld)
    .map(([, text]) => text)
    .join('\n')
  const isOfTest = paths.some((path) => wordsOfName(path.slice(-256)).includes('test'))
  return values.some(
    (value) =>
      !isOld(value) &&
      !isPath(value) &&
      (isLooseText(value[1], before) || (isOfTest && isLooserTest(value[1], before))),
  )
}
const OLD_NAME = longPattern('written-files.OLD_NAME')

/** Records that a step of a pipeline no longer fails or runs: a task about the pipeline does not yet ask for that. */
function noteLooserPipeline(values: readonly (readonly [string, string])[], { effects }: Call): void {
  const before = values.filter(([name]) => OLD_NAME.test(name)).map(([, text]) => text)
  const isLooser = values.some(
    (value) => !OLD_NAME.test(value[0]) && !isPath(value) && letsPass(value[1]) && !before.some(letsPass),
  )
  const after = values.filter(([name]) => !OLD_NAME.test(name) && ADDED.test(name))
  const isDropped =
    before.length > 0 &&
    after.length > 0 &&
    dropsChecks(before.join('\n'), after.map(([, text]) => text).join('\n'))
  if (before.length > 0 && (isLooser || isDropped)) noteLooser(effects)
}
/** Arguments with the text that an edit puts in. */
const ADDED = longPattern('written-files.ADDED')

/** Manifests whose scripts run when a package is installed or published. */
const MANIFEST = /(?:^|[\\/])package\.json$/i
const SCRIPT = longPattern('written-files.SCRIPT')
const SCRIPTS_MAX = 8

/** Records the same of a command or a program that writes into a manifest: `sed -i`, `json.dump`. */
export function noteManifestScripts(text: string, call: Call): void {
  const read = text.slice(0, MANIFEST_READ)
  if (read.includes('package.json') && WRITES_MANIFEST.test(read)) noteScripts(read, call)
}
/** Of a command or program that writes a manifest, in characters. */
const MANIFEST_READ = 65_536

const WRITES_MANIFEST = longPattern('written-files.WRITES_MANIFEST')

/** Records that a script which runs by itself reaches out or does what cannot be taken back. */
function noteScripts(text: string, { effects, organisation }: Call): void {
  let left = SCRIPTS_MAX
  for (const [, , script = ''] of text.slice(0, 65_536).matchAll(SCRIPT)) {
    if ((left -= 1) < 0) return
    const own = createEffects()
    readShell(script.replaceAll(/\\(.)/g, '$1'), own, organisation)
    const { capability, reversibility } = labelsOf(own)
    if (capability !== 'network' && reversibility !== 'irreversible') continue
    raise(
      effects,
      { capability: 'execute', reversibility: 'irreversible' },
      'a script that runs at each installation reaches out',
    )
    does(effects, 'grant')
  }
}

/** Texts among arguments that do not name what a text replaces. */
export const addedTexts = (args: Readonly<Record<string, unknown>>): string =>
  Object.entries(args)
    .filter((entry): entry is [string, string] => typeof entry[1] === 'string' && !OLD_NAME.test(entry[0]))
    .map(([, text]) => text)
    .join('\n')

const PART_NAME = longPattern('written-files.PART_NAME')
const CHOICE_NAME = longPattern('written-files.CHOICE_NAME')
const PATH_NAME = longPattern('written-files.PATH_NAME')
/** Whether an argument is a path. The text of a notebook cell is also named `source`, so values with white space are text. */
const isPath = ([name, value]: readonly [string, string]): boolean =>
  PATH_NAME.test(name) && !/\s/.test(value)
const UNKNOWN_PATH = 'unknown'
