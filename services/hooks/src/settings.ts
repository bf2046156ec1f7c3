import type { HookAnswer, HookEvent } from './event.js'

/**
 * What the command of a hook finds in its settings file, which `plimsoll hook install` writes: how the service is started and reached.
 * Nothing here may load a library.
 */
export interface HookSettings {
  readonly schema: 1
  readonly kind: 'plimsoll.hook'
  readonly client: string
  /** Node, and the script of `plimsoll`, absolute. */
  readonly node: string
  readonly script: string
  /** Options of `plimsoll hook serve`. */
  readonly options: readonly string[]
  /** The service's socket, or its named pipe on Windows. */
  readonly socket: string
  /** The file for what the service writes when it fails. */
  readonly log: string
  /** Whether every call runs if Plimsoll cannot answer. */
  readonly failOpen: boolean
}

/** What the hook's process sends, one line of JSON. */
export interface HookRequest {
  /** When the script of Plimsoll was written, milliseconds since 1970: a service of another build ends. */
  readonly build: number
  readonly client: string
  readonly event: HookEvent
}

/** What it gets, one line. */
export type HookResponse =
  { readonly answer: HookAnswer } | { readonly error: string } | { readonly isOutdated: true }

/** A session's texts may be long: most bytes of a request, and of what a client sends. */
export const REQUEST_BYTES_MAX = 64 * 2 ** 20
