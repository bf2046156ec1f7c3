import { idSchema } from '@plimsoll/contracts'
import type { AskOptions, Session } from '../session.js'

/** The session that tool calls belong to, or how to find it where one agent serves many. */
export type SessionSource<Call> = Session | ((call: Call) => Session | Promise<Session>)

export const sessionOf = <Call>(source: SessionSource<Call>, call: Call): Session | Promise<Session> =>
  typeof source === 'function' ? source(call) : source

/** How long an adapter waits, and who is told that a human is asked. */
export type AdapterOptions = Pick<AskOptions, 'timeoutMs' | 'approvalMs' | 'prerequisitesMs' | 'onConfirm'>

/** The framework's id of a call, where it can be one of ours: models and providers make them up. */
export function callIdOf(id: string | undefined): { readonly callId?: string } {
  return id !== undefined && idSchema.safeParse(id).success ? { callId: id } : {}
}

/** What a tool is called with. What is no object, such as text that is no JSON, becomes the argument `input`. */
export function argumentsOf(value: unknown): Readonly<Record<string, unknown>> {
  const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isRecord ? (value as Readonly<Record<string, unknown>>) : { input: value }
}
