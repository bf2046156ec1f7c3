import type { Call } from '../shell/call.js'

const TEXT_MAX = 65_536

/** What makes a test pass or leaves it or a step of a pipeline out, as languages and their runners write it. */
const LOOSENS =
  /@pytest\.mark\.(?:skip|xfail)|\bpytest\.(?:skip|xfail)\(|@unittest\.(?:skip|expectedFailure)|\b(?:it|test|describe|context)\.(?:skip|only|todo)\b|\bx(?:it|describe|test)\(|@(?:Ignore|Disabled)\b|#\[ignore\]|\bt\.Skip(?:Now|f)?\(|\bassert True\b|\bexpect\(true\)\.toBe(?:\(true\)|Truthy)|\bcontinue-on-error:\s*true|\ballow_failure:\s*true|@(?:mock\.)?patch\(|\b(?:jest|vi)\.mock\(|--ignore=|--deselect|-k ['"]?not |^[ \t]*#[ \t]{0,8}-?[ \t]{0,8}(?:name|run):|\bif:[ \t]{0,8}(?:false|github\.ref[ \t]*==)/m

/** Options of test runners that leave tests out or accept what they find. */
const LOOSE_OPTION =
  /^(?:--ignore(?:-glob)?|--deselect|--exclude|--skip|--snapshot-update|--update-?snapshots?|--no-cov|--passWithNoTests|--no-verify|-DskipTests|-Dmaven\.test\.skip|--cov-fail-under=0)(?:=|$)/i
const RUNNERS =
  /^(?:pytest|jest|vitest|mocha|npm|npx|yarn|pnpm|mvn|gradle|go|cargo|tox|nox|python|playwright|cypress)$/

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
