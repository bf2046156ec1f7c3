import type { LogRecord } from '@plimsoll/runtime'
import {
  admit,
  admitOver,
  type AdmissionRules,
  type Admitted,
  type AdmittedControl,
  type AdmittedEvent,
  type AdmittedFault,
} from './admit.js'
import type { QuotaGate } from './quota.js'

/** What is carried through the delivery order at a time: some sessions' records, or one control change alone. */
export type Cut = EventsCut | ControlCut

export interface EventsCut {
  readonly kind: 'events'
  /** Never empty, in log order. */
  readonly admitted: readonly (AdmittedEvent | AdmittedFault)[]
}

export interface ControlCut {
  readonly kind: 'control'
  readonly admitted: AdmittedControl
}

/**
 * Admits `records` and cuts them into chunks of at most `eventsMax`, one after the other as they are asked for. A control change is a chunk
 * of its own, so that everything in a chunk is judged under the same controls; a record that only claims to be one costs no more than any other.
 */
export function* cut(
  records: readonly LogRecord[],
  eventsMax: number,
  admitRecord: (record: LogRecord) => Admitted,
): Generator<Cut, void, void> {
  let admitted: (AdmittedEvent | AdmittedFault)[] = []
  for (const record of records) {
    const each = admitRecord(record)
    if (each.kind !== 'control') admitted.push(each)
    if (admitted.length === eventsMax || (each.kind === 'control' && admitted.length > 0)) {
      yield { kind: 'events', admitted }
      admitted = []
    }
    if (each.kind === 'control') yield { kind: 'control', admitted: each }
  }
  if (admitted.length > 0) yield { kind: 'events', admitted }
}

/** Admission behind the quotas: what is over them is not read in full. */
export function createAdmission(rules: AdmissionRules, gate: QuotaGate): (record: LogRecord) => Admitted {
  return (record) => {
    const scope = gate.scopeOver(record)
    return scope ? admitOver(record, scope, rules) : admit(record, rules)
  }
}
