import {
  type Control,
  type Decision,
  type Event,
  type Signed,
  CONTROL_KEY,
  INTERNAL_EVENTS,
  controlSchema,
  decisionSchema,
  eventSchema,
  isSignedBy,
  parseJson,
  tenantOf,
} from '@plimsoll/contracts'
import type { LogRecord } from './ports/event-log.js'

/*
 * What readers of the topics take from them. Anyone with access to a topic can write there: records that every monitor refuses, or that no
 * monitor writes, are undefined. None of these throws.
 */

const isInternal = (event: Event): event is Extract<Event, Signed> =>
  INTERNAL_EVENTS.some((type) => type === event.type)

const isGenuine = (signed: Signed, key: string | undefined): boolean =>
  key === undefined || isSignedBy(signed, key)

/**
 * The event in a record of the events topic.
 *
 * @param signingKey without it signatures are not checked
 * @param json the record's value, if it is parsed already
 */
export function eventIn(
  record: LogRecord,
  signingKey: string | undefined,
  json = parseJson(record.value),
): Event | undefined {
  const { data: event } = eventSchema.safeParse(json)
  if (!event || event.sessionId !== record.key) return undefined
  return isInternal(event) && !isGenuine(event, signingKey) ? undefined : event
}

/** The control change in a record of the events topic. Parameters as of `eventIn`. */
export function controlIn(
  record: LogRecord,
  signingKey: string | undefined,
  json = parseJson(record.value),
): Control | undefined {
  if (!CONTROL_KEY.test(record.key ?? '')) return undefined
  const { data: control } = controlSchema.safeParse(json)
  return control && control.partition === record.partition && isGenuine(control, signingKey)
    ? control
    : undefined
}

/** The decision in a record of the decisions topic, without members that this release does not know. */
export function decisionIn(record: LogRecord, json = parseJson(record.value)): Decision | undefined {
  const { data: decision } = decisionSchema.safeParse(json)
  if (!decision || decision.sessionId !== record.key || decision.tenant !== tenantOf(decision.sessionId))
    return undefined
  return decision
}
