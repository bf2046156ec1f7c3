import type { ClaimedLabels } from '@plimsoll/contracts'
import { identify } from 'sql-query-identifier'
import { type Effects, does, raise, signal, unreadable } from '../effects.js'
import { type SqlScan, scanSql } from './scan.js'

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

/** Characters of SQL that are read at all, and that the parser is given; between the two the scan alone decides. */
const TEXT_MAX = 262_144
const PARSED_MAX = 4096

const ROWS: ClaimedLabels = { capability: 'read', confidentiality: 'internal', trust: 'untrusted' }
const WRITE: ClaimedLabels = { capability: 'write', reversibility: 'partial' }

/**
 * What SQL does: read, write, drop, run. One linear scan tells a plain query for certain; anything else the parser reads as well, and
 * the worse of the two counts. Text that neither knows counts as the worst.
 */
export function readSql(text: string, effects: Effects): void {
  if (text.length > TEXT_MAX) return unreadable(effects, 'SQL that is too long to read')
  const scan = scanSql(text)
  raise(effects, ROWS)
  raiseScan(scan, effects)
  if (scan.ambiguous) raiseScan(scanSql(text, true), effects)
  if (isPlainQuery(scan)) return raise(effects, {}, 'SQL that reads')
  if (text.length <= PARSED_MAX) raiseStatements(text, scan, effects)
  else if (!scan.known || scan.unknown) unreadable(effects, 'SQL that cannot be read', text)
}

/**
 * Raises only what is certain, for an argument that may hold SQL or plain words: `select a hotel` says nothing.
 */
export function readPossibleSql(text: string, effects: Effects): void {
  if (text.length > TEXT_MAX) return
  if (SHAPE.test(text) || text.split(';', STATEMENTS_MAX).some((part) => SHAPE.test(part)))
    readSql(text, effects)
}

/** Statements of a text that is tried on the shape of SQL. */
const STATEMENTS_MAX = 64

/** Brackets and comments may stand before a statement. */
const LEAD = String.raw`^(?:[\s(;]|--[^\n]{0,200}\n|/\*[^*]{0,200}\*/){0,16}`
const OBJECTS =
  'or\\s+replace|temp|temporary|unique|table|database|schema|index|view|materialized|user|role|function|procedure|aggregate|extension|trigger|event|server|foreign|policy|rule|publication|subscription|system|operator|type'
const SHAPE = new RegExp(
  LEAD +
    String.raw`(?:(?:insert\s+into|replace\s+into|merge\s+into|delete\s+from|truncate\s+(?:table|only)|truncate\s+[\w."]{1,128}\s*(?:$|cascade|restart|,)|(?:drop|create|alter)\s+(?:${OBJECTS})|update\s+\S{1,128}\s+set|grant\s+\w+\s+(?:on|to)|load\s+(?:data|extension)|attach\s+(?:database|')|execute\s+immediate|with\s+(?:recursive\s+)?\w{1,64}\s+as|select\s[^;]{0,1000}\s(?:from|into|where))\b|` +
    // A function that is called, a program or file that is named.
    String.raw`select\s[^;]{0,1000}\(|select\s*[\[\x60"'@]|copy\s[^;]{1,512}\s(?:to|from)\s|(?:call|exec|execute|perform)\s+[\w."\[\]\x60]{1,128}\s*\(|exec(?:ute)?\s+[\w."\[\]\x60]{1,128}\s*(?:@|'|;|$)|do\s+(?:\$|')|set\s+(?:global|session|@))`,
  'i',
)

const isPlainQuery = (scan: SqlScan): boolean =>
  scan.known && !scan.unknown && !scan.ambiguous && !scan.into && scan.acts.size === 0

function raiseScan(scan: SqlScan, effects: Effects): void {
  for (const { labels, reason, act } of scan.acts) {
    raise(effects, labels, reason)
    if (act) does(effects, act)
  }
  if (scan.into) raise(effects, WRITE, 'SQL that writes what it selects')
  if (scan.whole) {
    raise(effects, { reversibility: 'irreversible' }, 'SQL that changes every row of a table')
    signal(effects, 'destructive', 1)
    does(effects, 'delete')
  }
  for (const confidentiality of scan.names)
    raise(
      effects,
      { confidentiality },
      `SQL that names ${confidentiality === 'credentials' ? 'credentials' : 'sensitive data'}`,
    )
}

function raiseStatements(text: string, scan: SqlScan, effects: Effects): void {
  const found = parseStatements(text)
  if (found === 'writes') raise(effects, WRITE, 'SQL that changes something')
  else if (found === 'runs')
    raise(effects, { capability: 'execute', reversibility: 'partial' }, 'SQL that runs a block')
  else if (found === 'unknown' && (!scan.known || scan.unknown))
    unreadable(effects, 'SQL that cannot be read', text)
}
