/** The hints of MCP. A server says them of itself: nothing vouches for them. */
export interface ToolAnnotations {
  readonly title?: string | undefined
  readonly readOnlyHint?: boolean | undefined
  readonly destructiveHint?: boolean | undefined
  readonly idempotentHint?: boolean | undefined
  readonly openWorldHint?: boolean | undefined
  readonly [name: string]: unknown
}

/** A tool as MCP lists it, or as much as is known of it: a name alone will do. */
export interface ToolDefinition {
  readonly name: string
  readonly description?: string | undefined
  /** JSON Schema of the arguments. */
  readonly inputSchema?: unknown
  readonly annotations?: ToolAnnotations | undefined
  readonly _meta?: Readonly<Record<string, unknown>> | undefined
}
