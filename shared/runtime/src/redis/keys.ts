import type { DueKind } from '../session-store.js'

/** Names of everything that a store has in Redis. */
export interface Keys {
  readonly record: (id: string) => string
  /** The id of the record that is stored under `key`; undefined where the key is another's. */
  readonly idOf: (key: string) => string | undefined
  /** Bytes of a record's key before the id; one byte follows it. */
  readonly headBytes: number
  /** The set of those who wait for an approval, or the index of the sets of the idle; see due-sets. */
  readonly due: (partition: number, kind: DueKind) => string
  readonly meta: (name: string) => string
  readonly counts: (name: string) => string
  /** The sessions that a counter of the fleet has, each with its time. */
  readonly fleet: (counter: string) => string
  /** Matches the records in `SCAN`, and little else. */
  readonly recordPattern: string
}

export function keysUnder(prefix: string): Keys {
  const head = `${prefix}:{`
  return {
    record: (id) => `${head}${id}}`,
    idOf: (key) => (key.startsWith(head) && key.endsWith('}') ? key.slice(head.length, -1) : undefined),
    headBytes: Buffer.byteLength(head),
    due: (partition, kind) => `${head}#${partition}}:due:${kind}`,
    meta: (name) => `${prefix}:meta:${name}`,
    counts: (name) => `${prefix}:counts:${name}`,
    fleet: (counter) => `${prefix}:fleet:${counter}`,
    recordPattern: `${globLiteral(head)}*}`,
  }
}

/** Matches `text` and nothing else. */
const globLiteral = (text: string): string => text.replaceAll(/[\\*?[\]]/g, '\\$&')
