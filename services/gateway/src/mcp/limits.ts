/** Caps of the MCP proxy; those that an operator may want otherwise can be set. */
export interface McpLimits {
  /** Of one call's arguments as JSON, bytes. */
  readonly argumentBytesMax: number
  /** Of objects and lists in one call's arguments within each other. */
  readonly argumentDepthMax: number
  /** One message, bytes: anyone who sends a longer one is cut off. */
  readonly messageBytesMax: number
  /** How long a server may take to start and tell its tools, milliseconds. */
  readonly startMsMax: number
  /** How long a server may take for a call, milliseconds; each progress that it tells begins it again. */
  readonly callMs: number
  /** How long it may take in all. */
  readonly callMsMax: number
  /** How long a call waits for the approval queue before its agent is told to call again. Below the patience of most clients, which is 60 s. */
  readonly approvalMs: number
  /** Tools that one server may list. */
  readonly toolsMax: number
  /** Sessions of MCP clients at a time. */
  readonly connectionsMax: number
  /** Of them, those of one principal: a further one ends the one of its own that was unused for longest. */
  readonly connectionsOfOneMax: number
  /** Sessions that no connection holds, of one principal: a further one ends the one of its own that was unused for longest. */
  readonly sessionsOfOneMax: number
  /** Calls of one principal that are under way. */
  readonly callsOfOneMax: number
  /** How long a session that no connection holds may go unused before it is ended. */
  readonly idleMs: number
  /** Calls of one session that wait for a human. */
  readonly pendingMax: number
}

export const MCP_LIMITS: McpLimits = {
  argumentBytesMax: 256 * 1024,
  argumentDepthMax: 64,
  messageBytesMax: 4 * 1024 * 1024,
  startMsMax: 30_000,
  callMs: 60_000,
  callMsMax: 600_000,
  approvalMs: 45_000,
  toolsMax: 1_024,
  connectionsMax: 1_000,
  connectionsOfOneMax: 64,
  sessionsOfOneMax: 1_000,
  callsOfOneMax: 256,
  idleMs: 3_600_000,
  pendingMax: 32,
}
