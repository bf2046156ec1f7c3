/** What is sent, whatever the protocol. */
export interface Prompt {
  /** What to do, and with what to answer. */
  readonly system: string
  /** What it is about, as JSON. */
  readonly user: string
  /** JSON Schema of the answer. */
  readonly schema: object
  /** What the answer is, where the protocol wants that said; the labels of a tool where it is left out. */
  readonly answer?: string
}

export interface Endpoint {
  /** Without what the protocol appends. */
  readonly url: string
  readonly model: string
  readonly key: string | undefined
}

/** What a response comes to, before its answer is checked. */
export type Reading =
  { readonly kind: 'answer'; readonly value: unknown } | { readonly kind: 'refused' | 'invalid' }

/** One way to ask a model for an answer of a given shape over HTTP. Pure. */
export interface Protocol {
  readonly path: string
  headers(endpoint: Endpoint): Record<string, string>
  body(prompt: Prompt, endpoint: Endpoint): object
  /** Reads the JSON of a response with status 200; whatever it is. */
  read(json: unknown): Reading
}

/** The most that an answer may take; it is five short members. */
export const ANSWER_TOKENS_MAX = 1024
/** The answer's name, where the protocol wants one. */
export const ANSWER_NAME = 'label_tool'
