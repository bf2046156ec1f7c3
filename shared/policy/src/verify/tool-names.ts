import { matchesTool, type Catalogue, type StepPattern } from '@plimsoll/contracts'

/** A name that no document is expected to have. */
const STRANGER = 'tool_of_nobody'
/** More patterns than that are not held against one another. */
const GLOBS_MAX = 200

/**
 * Names of tools that stand for all there can be: those that a document spells out, of each pattern one that it matches, of two patterns
 * one that both match where putting one into the other gives it, and a stranger.
 */
export function toolNames(catalogue: Catalogue, patterns: readonly StepPattern[]): string[] {
  const all = [
    ...catalogue.tools.flatMap(({ tools }) => tools),
    ...patterns.flatMap(({ tools = [] }) => tools),
  ]
  const names = new Set(all.filter((pattern) => !pattern.includes('*')))
  const globs = [...new Set(all.filter((pattern) => pattern.includes('*')))].slice(0, GLOBS_MAX)
  for (const glob of globs) names.add(filled(glob, 'x'))
  for (const a of globs)
    for (const b of globs) {
      const both = filled(a, filled(b, 'x'))
      if (a !== b && matchesTool(b, both)) names.add(both)
      else if (a !== b && matchesTool(b, joined(a, b)) && matchesTool(a, joined(a, b)))
        names.add(joined(a, b))
    }
  names.add(STRANGER)
  return [...names].filter((name) => NAME.test(name))
}

const NAME = /^[\x21-\x7e]{1,200}$/

const filled = (glob: string, by: string): string => glob.replaceAll('*', by)

/** The beginning of the one and the end of the other. */
const joined = (a: string, b: string): string =>
  `${a.slice(0, a.indexOf('*'))}x${b.slice(b.lastIndexOf('*') + 1)}`
