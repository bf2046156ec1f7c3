/** The parts of sessions that pay, for the cases beside it. */
export type Step = readonly [tool: string, args: Readonly<Record<string, unknown>>, result?: unknown]
/** A message of the user between two steps. */
export type Later = string

export interface Case {
  readonly name: string
  readonly task: string
  readonly steps: readonly (Step | Later)[]
}

export const KNOWN = 'DE89370400440532013000'
export const STRANGE = 'GB29NWBK60161331926819'
export const THIRD = 'FR1420041010050500013M02606'

export const contact = (text: unknown): Step => ['get_contact', { name: 'x' }, text]
export const mail = (text: string): Step => ['read_email', { id: 5 }, text]
export const file = (name: string, text: string): Step => ['read_file', { path: name }, text]
export const pay = (recipient: string, amount: unknown, more: object = {}): Step => [
  'send_money',
  { recipient, amount, ...more },
  'sent',
]
