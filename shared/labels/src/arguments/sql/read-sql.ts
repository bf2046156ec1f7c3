import type { ClaimedLabels } from '@plimsoll/contracts'
import { raise, signal, type Effects } from '../effects.js'
import { unreadable } from '../worst.js'
import { scanSql, type SqlScan } from './scan.js'
import { parseStatements, type Statements } from './statements.js'

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
  if (text.length <= PARSED_MAX) raiseStatements(parseStatements(text), scan, effects)
  else if (!scan.known || scan.unknown) unreadable(effects, 'SQL that cannot be read')
}

/**
 * Raises only what is certain, for an argument that may hold SQL or plain words: `select a hotel` says nothing.
 */
export function readPossibleSql(text: string, effects: Effects): void {
  if (text.length <= TEXT_MAX && SHAPE.test(text)) readSql(text, effects)
}

const SHAPE =
  /^\s*(insert\s+into|replace\s+into|delete\s+from|truncate\s+table|(drop|create|alter)\s+(table|database|schema|index|view|user|role)|update\s+\S{1,128}\s+set|grant\s+\w+\s+on|select\s[^;]{0,1000}\sfrom|with\s+\w{1,64}\s+as\s*\()\b/i

const isPlainQuery = (scan: SqlScan): boolean =>
  scan.known && !scan.unknown && !scan.ambiguous && !scan.into && scan.acts.size === 0

function raiseScan(scan: SqlScan, effects: Effects): void {
  for (const { labels, reason } of scan.acts) raise(effects, labels, reason)
  if (scan.into) raise(effects, WRITE, 'SQL that writes what it selects')
  if (scan.whole) {
    raise(effects, { reversibility: 'irreversible' }, 'SQL that changes every row of a table')
    signal(effects, 'destructive', 1)
  }
  for (const confidentiality of scan.names)
    raise(
      effects,
      { confidentiality },
      `SQL that names ${confidentiality === 'credentials' ? 'credentials' : 'sensitive data'}`,
    )
}

function raiseStatements(found: Statements, scan: SqlScan, effects: Effects): void {
  if (found === 'writes') raise(effects, WRITE, 'SQL that changes something')
  else if (found === 'runs')
    raise(effects, { capability: 'execute', reversibility: 'partial' }, 'SQL that runs a block')
  else if (found === 'unknown' && (!scan.known || scan.unknown))
    unreadable(effects, 'SQL that cannot be read')
}
