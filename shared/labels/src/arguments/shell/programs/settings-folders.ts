import type { Effects } from '../../effects.js'
import { holdsGuards } from '../../paths.js'
import { type Call, hasOption, operandsOf } from '../call.js'
import { noteSettings } from './doors.js'
import { raiseIrreversible } from './irreversible.js'

/** Operands of one command that are looked at. */
const OPERANDS_MAX = 64

/**
 * Records that files go into a folder of an agent's settings under names that the command does not say: `cp -r kit/.claude .`,
 * `rsync -a kit/ .claude/`, `unzip kit.zip -d .claude`. Files by their names are read as any write.
 */
export function noteFilledSettings(call: Call, effects: Effects): void {
  const folder = foldersFilled(call).find(holdsGuards)
  if (folder !== undefined) noteFilledFolder(folder, effects)
}

/** Does the same for a folder that is filled, if it is one of an agent's settings: `git clone URL .claude`. */
export function noteFilledFolder(folder: string, effects: Effects): void {
  if (!holdsGuards(folder)) return
  noteSettings(folder, effects)
  raiseIrreversible('grant', 'files go to where an agent is set up', effects)
}

const COPIES: ReadonlySet<string> = new Set(['cp', 'mv', 'rsync', 'ln', 'install'])
const UNPACKS: ReadonlyMap<string, RegExp> = new Map([
  ['unzip', /^-d(.*)$/],
  ['tar', /^(?:-C|--directory=?)(.*)$/],
  ['bsdtar', /^(?:-C|--directory=?)(.*)$/],
  ['7z', /^-o(.+)$/],
])

function foldersFilled(call: Call): readonly string[] {
  const option = UNPACKS.get(call.name)
  if (option !== undefined)
    return call.args.flatMap((arg, i) => {
      const [, joined] = option.exec(arg) ?? []
      return joined === undefined ? [] : [plain(joined === '' ? (call.args[i + 1] ?? '') : joined)]
    })
  if (!COPIES.has(call.name)) return []
  const operands = operandsOf(call).slice(0, OPERANDS_MAX)
  const sources = operands.slice(0, -1)
  const target = plain(operands.at(-1) ?? '')
  const isOfMany =
    sources.some((source) => /[*?]/.test(source)) ||
    hasOption(call, 'rRas', '--recursive', '--archive', '--symbolic')
  if (!isOfMany && call.name !== 'mv') return []
  const named = sources.filter((source) => call.name !== 'rsync' || !source.endsWith('/'))
  return [
    ...(isOfMany ? [target] : []),
    ...named.map((source) => `${target}/${plain(source).split('/').at(-1) ?? ''}`),
  ].filter((folder) => !/^[^/]*:/.test(folder))
}

const plain = (path: string): string => path.replace(/(?<=.)\/+$/, '')
