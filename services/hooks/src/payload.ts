import type { HookEvent, Payload } from './event.js'

/** Reads a payload tolerantly: clients add members, and rename them. */

/** Events by the client's name. */
export type EventKinds = Readonly<Record<string, HookEvent['kind']>>

/** What an event of a client is; undefined if it does not matter here. */
export const kindOf = (kinds: EventKinds, event: string): HookEvent['kind'] | undefined =>
  Object.hasOwn(kinds, event) ? kinds[event] : undefined

/** The first of `names` that is a text which is not empty. */
export function textIn(payload: Payload, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = payload[name]
    if (typeof value === 'string' && value !== '') return value
  }
  return undefined
}

/** The same; throws `TypeError` if there is none. */
export function needed(payload: Payload, ...names: readonly string[]): string {
  const found = textIn(payload, ...names)
  if (found !== undefined) return found
  throw new TypeError(`the event has no \`${names.join('` or `')}\``)
}

/** The member as an object; a text that holds one is read; empty for anything else. */
export function objectIn(payload: Payload, ...names: readonly string[]): Payload {
  for (const name of names) {
    const value = payload[name]
    const object = typeof value === 'string' ? parsed(value) : value
    if (isObject(object)) return object
  }
  return {}
}

/** Arguments of a call. What is no object, such as the text of a patch, becomes `input`: a call must not be judged without it. */
export function argumentsIn(payload: Payload, ...names: readonly string[]): Payload {
  const value = valueIn(payload, ...names)
  const object = typeof value === 'string' ? parsed(value) : value
  if (isObject(object)) return object
  return value === undefined || value === '' ? {} : { input: value }
}

export const isObject = (value: unknown): value is Payload =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The first of `names` that is there, whatever it is. */
export const valueIn = (payload: Payload, ...names: readonly string[]): unknown =>
  names.map((name) => payload[name]).find((value) => value !== undefined && value !== null)

/** The first of a list of folders. */
export function firstFolder(folders: unknown): string | undefined {
  const first: unknown = Array.isArray(folders) ? folders[0] : undefined
  if (isObject(first)) return textIn(first, 'path')
  return typeof first === 'string' && first !== '' ? first : undefined
}
