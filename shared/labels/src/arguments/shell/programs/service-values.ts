import { does, raise, signal } from '../../effects.js'
import { actsOn, wordsIn } from '../../objects.js'
import { longPattern } from '../../../text/data.js'
import type { Call, ShellContext } from '../call.js'
import { LIVE_WORDS } from './live.js'
import { rowsByProgram } from './command-table.js'

/** A row of `values` in data/commands.json: by which words a program sets values that a service keeps for its programs. */
interface Row {
  /** First words, in this order. */
  readonly verbs: readonly string[]
  /** How many operands behind the verb name values, and whether each is `NAME=VALUE`. All others say where. */
  readonly named?: number
  /** Whether an operand behind the name is its value. */
  readonly valued?: true
  /** Options whose value is a file of values; none for those that take one as an operand (`bulk FILE`). */
  readonly files?: string
  readonly fileOperand?: true
  /** Options whose value says where: a program, an environment. */
  readonly places: string
  /** Options whose value is a value. */
  readonly values?: string
}

interface Setter extends Omit<Row, 'verbs' | 'files' | 'places' | 'values'> {
  readonly verbs: readonly (readonly string[])[]
  readonly files: ReadonlySet<string>
  readonly places: ReadonlySet<string>
  readonly values: ReadonlySet<string>
}

const optionsOf = (words: string): ReadonlySet<string> =>
  new Set(words.split(' ').filter((word) => word !== ''))

const setterOf = ({ verbs, files = '', places, values = '', ...row }: Row): Setter => ({
  ...row,
  verbs: verbs.map((words) => words.split(' ')),
  files: optionsOf(files),
  places: optionsOf(places),
  values: optionsOf(values),
})

const SETTERS = new Map(
  [...rowsByProgram<Row>('values')].map(([name, rows]) => [name, rows.map(setterOf)] as const),
)

/** What a call sets: names of values, files that they come from, and where. Undefined if it is no such call. */
interface Setting {
  readonly names: readonly string[]
  readonly files: readonly string[]
  readonly places: readonly string[]
  /** Whether all of its words are understood. */
  readonly isPlain: boolean
}

/**
 * Reads a command that sets values for the programs of a service: `vercel env add NAME preview < FILE`. What leaves is the values, from
 * files that the text names: a task that names the files, or the values, and the place asks for it. Returns whether it is one.
 */
export function readServiceValues(call: Call, context: ShellContext): boolean {
  const found = settingOf(call)
  if (!found) return false
  const { effects } = context
  const { names, places, isPlain } = found
  const files = call.fedFile === undefined ? found.files : [...found.files, call.fedFile]
  const valueFiles = call.args.flatMap((arg) => (arg.includes('$(') ? filesIn(arg) : []))
  const isPiped = call.piped && call.fedFile === undefined
  raise(
    effects,
    { capability: 'network', confidentiality: 'internal', reversibility: 'partial' },
    'a command that sets values of a service',
    isPlain && (!isPiped || isFedByReaders(context.whole)),
  )
  raise(effects, { reversibility: 'irreversible' })
  signal(effects, 'outside', 1)
  if (files.length + valueFiles.length > 0 || isPiped) signal(effects, 'records', 1)
  if (writesNoFile(context.whole)) signal(effects, 'readsFile', 1)
  does(effects, 'overwrite')
  const sources = [...new Set([...files, ...valueFiles, ...(isPiped ? filesBefore(context.whole) : [])])]
  const thing = `${[...names, ...sources].join(' ')} ${places.join(' ')}`.trim()
  const setting = { kind: 'setting', reach: 'live', byName: true, thing } as const
  // A task that names where a value comes from need not name the value, but each file, and where it goes.
  if (sources.length === 0)
    actsOn(effects, 'change', { ...setting, names: names.flatMap((name) => [name, ...wordsIn(name)]) })
  for (const file of sources.slice(0, FILES_MAX))
    actsOn(effects, 'change', { ...setting, names: sources.length > FILES_MAX ? [] : namesOfFile(file) })
  for (const place of places)
    actsOn(effects, 'change', {
      ...setting,
      names: /^prod(?:uction)?$|^live$/i.test(place)
        ? LIVE_WORDS
        : [place, place.slice(place.lastIndexOf('/') + 1), ...wordsIn(place)],
    })
  return true
}

/** A file of values is named as a whole, not by the folder that it is in. */
const namesOfFile = (path: string): string[] => {
  const parts = path.replace(/^\.\//, '').split('/')
  return [path, parts.slice(-2).join('/'), parts.at(-1) ?? path]
}

/** Whether a call is one of those that `readServiceValues` reads. */
export const setsServiceValues = (call: Pick<Call, 'name' | 'args'>): boolean => settingOf(call) !== undefined

function settingOf({ name, args }: Pick<Call, 'name' | 'args'>): Setting | undefined {
  for (const setter of SETTERS.get(name) ?? []) {
    const end = verbEnd(setter, args)
    if (end < 0) continue
    const setting = readWords(setter, args, end)
    const isLook = setter.values.size > 0 && setting.names.length + setting.files.length === 0
    return isLook ? undefined : setting
  }
  return undefined
}

/** Where the words behind the verb begin; -1 if the call has no such verb. Options with values may stand between its words. */
function verbEnd({ verbs, places }: Setter, args: readonly string[]): number {
  const operands = args.flatMap((arg, i) =>
    arg.startsWith('-') || places.has(args[i - 1] ?? '') ? [] : [{ arg, i }],
  )
  for (const words of verbs) {
    const isSaid = words.every((word, n) => operands[n]?.arg === word)
    if (isSaid) return (operands[words.length - 1]?.i ?? -1) + 1
  }
  return -1
}

function readWords(setter: Setter, args: readonly string[], from: number): Setting {
  const names: string[] = []
  const files: string[] = []
  const places: string[] = []
  let isPlain = true
  let left = setter.named ?? 0
  for (const [i, arg] of args.entries()) {
    const before = args[i - 1] ?? ''
    const [, option = '', value = ''] = /^(--?[\w-]{1,32})=(.*)$/s.exec(arg) ?? []
    if (setter.places.has(before)) places.push(arg)
    else if (setter.places.has(option)) places.push(value)
    else if (setter.files.has(before)) files.push(arg)
    else if (setter.files.has(option)) files.push(value)
    else if (setter.values.has(before) || setter.values.has(option)) {
      const given = option === '' ? arg : value
      names.push(...(NAMED.exec(given)?.slice(1, 2) ?? []))
      isPlain &&= isKnownValue(given)
    } else if (arg.startsWith('-')) isPlain &&= FLAG.test(arg) || isTakingValue(setter, arg)
    else if (i < from) continue
    else if (setter.fileOperand) files.push(arg)
    else if (left > 0) {
      left -= 1
      names.push(NAMED.exec(arg)?.[1] ?? arg)
      isPlain &&= isKnownValue(arg)
    } else if (setter.valued && !setter.places.has(before)) isPlain &&= isKnownValue(arg)
    else places.push(arg)
  }
  return { names, files, places, isPlain }
}

const isTakingValue = ({ places, files, values }: Setter, option: string): boolean =>
  places.has(option) || files.has(option) || values.has(option)

/** `NAME=VALUE`. */
const NAMED = /^([A-Za-z_]\w{0,63})=/
/** Options without a value that change neither what is set nor where. */
const FLAG = longPattern('service-values.FLAG')

/** Whether a value stands in the text, or comes from a file that the text names: `$(grep KEY .env.staging | cut -d= -f2)`. */
const isKnownValue = (text: string): boolean =>
  !text.includes('$') || (text.length <= 1024 && READ_FROM.test(text))

/**
 * Whether a text only reads files, sets values and deploys, so that what stood in a file stands in no other afterwards. Output goes to nowhere.
 */
const writesNoFile = (whole: string): boolean =>
  whole.length <= 4096 &&
  whole
    .replaceAll(/\d?>\s{0,4}(?:\/dev\/null|&\d)/g, ' ')
    .split(/&&|\|\||;|\n|\|/)
    .every(
      (part) => /^\s{0,64}$/.test(part) || (!part.includes('>') && (READS.test(part) || SETS.test(part))),
    )
const READS = longPattern('service-values.READS')
const SETS = new RegExp(`^\\s{0,16}(?:npx\\s{1,4})?(?:${[...SETTERS.keys()].join('|')})\\s`)

/** Whether all that feeds it reads files or prints: `grep KEY .env.preview | cut -d= -f2 | vercel env add KEY preview`. */
const isFedByReaders = (whole: string): boolean => whole.length <= 4096 && FED.test(whole)
const FED = longPattern('service-values.FED')

/** Files that a text of such readers names: words with a dot or a folder, and no pattern. */
const filesIn = (text: string): string[] =>
  (text.slice(0, 2048).match(WORD) ?? []).filter((word) => FILE.test(word) && /[A-Za-z]/.test(word))
const WORD = /[^\s|;<>()"'`$]{1,256}/g
const FILE = longPattern('service-values.FILE')

/** Those of the commands before. */
const filesBefore = (whole: string): string[] => filesIn(whole.slice(0, whole.lastIndexOf('|')))
const FILES_MAX = 3

const READ_FROM = longPattern('service-values.READ_FROM')
