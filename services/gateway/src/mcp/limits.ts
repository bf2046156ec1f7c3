/** Caps of the MCP proxy. */
export interface McpLimits {
  /** One call's arguments as JSON, bytes. */
  readonly argumentBytesMax: number
  /** Nesting of one call's arguments. */
  readonly argumentDepthMax: number
  /** One message, bytes; a longer one ends the connection. */
  readonly messageBytesMax: number
  /** How long a server may take to start and list its tools, milliseconds. */
  readonly startMsMax: number
  /** How long a server may take for a call, milliseconds; restarts with each progress notification. */
  readonly callMs: number
  /** How long it may take in total. */
  readonly callMsMax: number
  /** How long a call waits for its client's user, milliseconds: the policies' default expiry. */
  readonly userMs: number
  /** How long a call waits for the verdict on an answer of its user. */
  readonly answerMs: number
  /** Tools that one server may list. */
  readonly toolsMax: number
  /** Connections of MCP clients at a time. */
  readonly connectionsMax: number
  /** Connections of one principal; a further one closes its least recently used one. */
  readonly connectionsOfOneMax: number
  /** Sessions of one principal; a further one ends its least recently used one. */
  readonly sessionsOfOneMax: number
  /** Calls of one principal in progress. */
  readonly callsOfOneMax: number
  /** How long a session or connection may be unused before it is ended, milliseconds. */
  readonly idleMs: number
  /** Requests of the 2026 era that wait for their clients. */
  readonly suspendedMax: number
}

export const MCP_LIMITS: McpLimits = {
  argumentBytesMax: 256 * 1024,
  argumentDepthMax: 64,
  messageBytesMax: 4 * 1024 * 1024,
  startMsMax: 30_000,
  callMs: 60_000,
  callMsMax: 600_000,
  userMs: 900_000,
  answerMs: 10_000,
  toolsMax: 1_024,
  connectionsMax: 1_000,
  connectionsOfOneMax: 64,
  sessionsOfOneMax: 1_000,
  callsOfOneMax: 256,
  idleMs: 3_600_000,
  suspendedMax: 4_096,
}
