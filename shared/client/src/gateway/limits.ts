/** How long a gateway may take to say welcome, milliseconds. */
export const WELCOME_MS_MAX = 10_000

/** How long a frame may go without its `ack`, milliseconds: a connection that takes longer is given up. */
export const ACK_MS_MAX = 30_000

/** Silence after which a connection is given up, milliseconds; a gateway asks every 20 s whether we are there. */
export const SILENCE_MS_MAX = 50_000

/** How long `close` waits for the gateway's side of it, milliseconds. */
export const CLOSE_MS_MAX = 1_000

/** Bounds of the wait before another connection is tried. */
export const RECONNECT = { firstMs: 50, maxMs: 5_000 } as const

/** Bytes of a frame of the gateway: it holds one decision. */
export const GATEWAY_FRAME_BYTES_MAX = 1024 * 1024
