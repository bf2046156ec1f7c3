import { does, raise, signal } from '../../effects.js'
import { PATH_KINDS, pathKindOf } from '../../paths.js'
import { type ShellContext, type Special, hasOption, isOpen, operandsOf } from '../call.js'
import { COMMAND_LABELS } from './commands.js'
import { readSet } from '../../../text/data.js'

const { WRITE } = COMMAND_LABELS

export function deletes(reason: string, effects: ShellContext['effects']): void {
  raise(effects, { capability: 'write', reversibility: 'irreversible' }, reason)
  does(effects, 'delete')
}
/** Plain paths in the working folder: no pattern, nothing hidden, nothing above it. */
const WORKING = /^(?:\.\/)?(?:[\w+@-][\w.+@-]{0,100}\/){0,8}[\w+@-][\w.+@-]{0,100}\/?$/
/** Folders in which projects keep their work. An agent usually made other top-level folders itself. */
const KEPT = readSet('shell', 'keptFolders')
/** Folders that a build, test or experiment creates and can create again. */
const MADE =
  /^(?:build|dist|out|outputs?|target|obj|node_modules|coverage|htmlcov|site|_?cache|\.?v?env|\w{0,30}(?:tmp|temp|repro|demo|sample|example|scratch|copy|cache)\w{0,30}|.{1,60}\.egg-info|__\w+__)$/i

/** Files that hold people's records: data, tables, documents, keys. */
const RECORDS =
  /\.(?:csv|tsv|xlsx?|ods|docx?|odt|pptx?|pdf|sql|dump|parquet|backup|pem|key|kdbx|env|pst|mbox|vmdk|qcow2)$/i

/** Whether a path is an agent's own work: a file without records, or a folder that can be created again. */
function isWorking(path: string, isRecursive: boolean): boolean {
  if (!WORKING.test(path)) return false
  const name = path.replace(/\/$/, '').split('/').at(-1) ?? ''
  if (/\.\w{1,12}$/.test(name)) return !RECORDS.test(name)
  const [first = '', ...below] = path.replace(/^\.\//, '').replace(/\/$/, '').split('/')
  return (
    isRecursive &&
    (MADE.test(first) || MADE.test(name) || (below.length === 0 && !KEPT.has(name.toLowerCase())))
  )
}

/** Reads deletions. Any but of temporary files is irreversible; deleting the agent's own work is no `delete` act. */
export const remove: Special = (call, { effects }) => {
  const operands = operandsOf(call)
  const temporary =
    operands.length > 0 &&
    !isOpen(call) &&
    operands.every((operand) => pathKindOf(operand) === PATH_KINDS.temp)
  raise(
    effects,
    temporary ? WRITE : { capability: 'write', reversibility: 'irreversible' },
    temporary ? 'temporary files are deleted' : 'files are deleted',
  )
  if (temporary) return
  const isRecursive = hasOption(call, 'rR', '--recursive')
  if (isRecursive || hasOption(call, 'f', '--force')) signal(effects, 'destructive', 1)
  if (isOpen(call) || !operands.every((operand) => isWorking(operand, isRecursive))) does(effects, 'delete')
}
