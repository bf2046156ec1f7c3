/** Bounds of the streams of one gateway. */
export const STREAM_LIMITS = {
  /** Connections at a time. */
  connectionsMax: 2_000,
  /** Of them, those of one principal. */
  connectionsOfOneMax: 200,
  /** Sessions whose decisions come over one connection; beyond it the one claimed first is let go. */
  sessionsMax: 20_000,
  /** Frames of a connection that are read before the first of them is in the log. */
  inFlightMax: 16,
  /** Bytes of a connection's frames that are not in the log yet; beyond it no more is read. */
  inFlightBytesMax: 4 * 1024 * 1024,
  /** Bytes of all frames of one principal, and of the parts of frames that have come. At half of it, its connections that have a frame under way wait; at all of it they end. */
  principalBytesMax: 32 * 1024 * 1024,
  /** Bytes that wait for a connection's other end to read them. */
  bufferedBytesMax: 2 * 1024 * 1024,
  /** How long events are taken in before others get a turn, milliseconds. */
  turnMs: 10,
  /** How often it is asked whether the other end is still there, milliseconds; once without an answer ends the connection. */
  heartbeatMs: 20_000,
} as const

/** Why a connection is closed. Source: RFC 6455, 7.4; from 4000 on they are ours. */
export const CLOSE = {
  goingAway: 1001,
  invalid: 1008,
  slow: 1013,
  expired: 4401,
} as const
