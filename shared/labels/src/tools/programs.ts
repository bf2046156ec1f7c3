import type { CatalogueEntry } from '@plimsoll/contracts'

/** Whether the tool runs a program from its arguments: a command line, a query or code. */
export function isProgram(entry: CatalogueEntry | undefined): boolean {
  if (!entry) return false
  const known = programs.get(entry)
  if (known !== undefined) return known
  const made =
    entry.arguments?.some(
      ({ as }) => as === 'powershell' || (entry.least !== undefined && PROGRAMS.has(as)),
    ) === true
  programs.set(entry, made)
  return made
}

/** Whether that is a command line or code. */
export const runsShell = (entry: CatalogueEntry | undefined): boolean =>
  isProgram(entry) && entry?.arguments?.some(({ as }) => as !== 'sql') === true

const programs = new WeakMap<CatalogueEntry, boolean>()

const PROGRAMS: ReadonlySet<string> = new Set(['shell', 'sql', 'code'])
