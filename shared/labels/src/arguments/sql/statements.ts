import { identify } from 'sql-query-identifier'

/** What the parser says of a text: the worst of its statements. `unknown`: it cannot tell, or throws. */
export type Statements = 'reads' | 'writes' | 'runs' | 'unknown'

/** Readings kept, so that a statement that comes again costs a look-up. */
const KEPT_MAX = 256

const KINDS: Readonly<Record<string, Statements>> = {
  LISTING: 'reads',
  INFORMATION: 'reads',
  TRANSACTION: 'reads',
  MODIFICATION: 'writes',
  ANON_BLOCK: 'runs',
}
const ORDER: readonly Statements[] = ['reads', 'writes', 'runs', 'unknown']

const kept = new Map<string, Statements>()

/** Parses `text`, of any dialect; the caller caps its length. */
export function parseStatements(text: string): Statements {
  const known = kept.get(text)
  if (known) return known
  const found = parse(text)
  if (kept.size >= KEPT_MAX) for (const oldest of kept.keys()) if (kept.delete(oldest)) break
  kept.set(text, found)
  return found
}

function parse(text: string): Statements {
  try {
    const kinds = identify(text, { dialect: 'generic', strict: false }).map(
      ({ executionType }) => KINDS[executionType] ?? 'unknown',
    )
    return ORDER[Math.max(0, ...kinds.map((kind) => ORDER.indexOf(kind)))] ?? 'unknown'
  } catch {
    return 'unknown'
  }
}
