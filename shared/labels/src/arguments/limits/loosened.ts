import { longPattern } from '../../text/data.js'
import type { Call } from '../shell/call.js'

const TEXT_MAX = 65_536

/** What makes a test pass or leaves it or a step of a pipeline out, as languages and their runners write it. */
const LOOSENS = longPattern('loosened.LOOSENS')

/** Options of test runners that leave tests out or accept what they find. */
const LOOSE_OPTION = longPattern('loosened.LOOSE_OPTION')
const RUNNERS = longPattern('loosened.RUNNERS')

/** Whether a text that is written leaves tests out or makes them pass, and `before`, which it replaces, did not. */
export const isLooseText = (text: string, before = ''): boolean => {
  const mark = LOOSENS.exec(text.slice(0, TEXT_MAX))?.[0]
  return mark !== undefined && !before.includes(mark)
}

/** Whether an edit of a test changes nothing but its numbers (times, tolerances), or asserts less. */
export function isLooserTest(text: string, before: string): boolean {
  if (text === before || before === '' || text.length > EDIT_MAX || before.length > EDIT_MAX) return false
  return withoutNumbers(text) === withoutNumbers(before) || assertionsIn(text) < assertionsIn(before)
}

const EDIT_MAX = 16_384
const withoutNumbers = (text: string): string => text.replaceAll(/\d[\d_.]*/g, '0')
const assertionsIn = (text: string): number =>
  text.match(/\bassert\w*|\bexpect\s?\(|\.should\b/g)?.length ?? 0

/** Whether a command runs only a part of the tests, or takes their output for what it should be. */
export const isLooseRun = ({ name, args }: Call): boolean =>
  RUNNERS.test(name) &&
  args.some(
    (arg, i) =>
      LOOSE_OPTION.test(arg) ||
      (/^-[km]$/.test(arg) && /^not\b|\bnot\s/.test(args[i + 1] ?? '')) ||
      (arg === '-u' && /jest|vitest/.test(`${name} ${args[0] ?? ''}`)),
  )
