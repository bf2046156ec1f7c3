import { raise } from '../effects.js'
import { hasOption, operandsOf, type Call, type ShellContext } from './call.js'
import { printedBy } from './redirects.js'
import { noteWritten } from '../written-code.js'

/** Commands whose operands are all written, or the last of them; `patch` and its like write what their input names. */
const ALL = new Set(['tee', 'sponge', 'truncate', 'ed', 'ex'])
const LAST = new Set([
  'cp',
  'mv',
  'ln',
  'install',
  'link',
  'symlink',
  'gunzip',
  'unxz',
  'bunzip2',
  'unzip',
  'rename',
])
/** Readers that write what an option names; of some the second operand is written. */
const BY_OPTION = new Set(['sort', 'shuf', 'iconv'])
const SECOND = new Set(['uniq', 'xxd', 'pdftotext'])
/** Commands that write files whose names do not stand there. */
const ANYTHING = new Set(['patch', 'unzip', 'cpio', '7z', '7za', 'unrar', 'split', 'csplit', 'uudecode'])

/** The files that a reader of files writes, if it is told to. */
function outputsOf(call: Call): readonly string[] {
  if (SECOND.has(call.name)) return operandsOf(call).slice(1, 2)
  if (!BY_OPTION.has(call.name)) return []
  return call.args.flatMap((arg, i) => {
    const [, joined] = /^(?:-[a-zA-Z]*o|--o[a-z]*=?)(.*)$/s.exec(arg) ?? []
    return joined === undefined ? [] : [joined === '' ? (call.args[i + 1] ?? '') : joined]
  })
}

/** What the commands that write files by their operands leave behind. */
export function noteWrites(call: Call, { effects }: ShellContext): void {
  const operands = operandsOf(call)
  for (const path of outputsOf(call)) {
    raise(effects, { capability: 'write', reversibility: 'partial' }, 'a command that writes a file', true)
    noteWritten(path, undefined, effects)
  }
  if (call.name === 'sed' && hasOption(call, 'i', '--in-place')) {
    for (const path of operands.slice(-8)) noteWritten(path, undefined, effects)
  } else if (ANYTHING.has(call.name)) noteWritten('unpacked', undefined, effects)
  else if (ALL.has(call.name))
    for (const path of operands.slice(0, 64)) noteWritten(path, printedBy(call), effects)
  else if (LAST.has(call.name) && operands.length > 0) {
    const last = operands.at(-1) ?? ''
    // Into a folder: what is there afterwards has the names of the sources.
    for (const path of /\/$|^\.+$/.test(last) ? operands.slice(0, 64) : [last])
      noteWritten(path, undefined, effects)
  } else if (call.name === 'dd')
    for (const arg of call.args) if (arg.startsWith('of=')) noteWritten(arg.slice(3), undefined, effects)
}
