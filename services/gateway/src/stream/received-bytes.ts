/** Bytes that were received of one principal's connections and are not dealt with. */
export interface ReceivedBytes {
  /** One connection of it. */
  open(): ConnectionBytes
}

export interface ConnectionBytes {
  /** Bytes have come, of a frame that is not whole. False where its principal has more than it may have. */
  arrived(bytes: number): boolean
  /** Whatever came was a frame, which is under way from now on. */
  framed(bytes: number): void
  /** A frame is dealt with. */
  done(bytes: number): void
  /** Whether no more is to be read while a frame of the connection is under way. */
  isFull(): boolean
  close(): void
}

export interface ReceivedBytesOptions {
  readonly connectionMax: number
  readonly principalMax: number
}

export function createReceivedBytes({ connectionMax, principalMax }: ReceivedBytesOptions): ReceivedBytes {
  let all = 0

  function open(): ConnectionBytes {
    let partial = 0
    let underWay = 0

    /** What was counted of the connection last is counted anew. */
    function set(nextPartial: number, nextUnderWay: number): void {
      all += nextPartial + nextUnderWay - partial - underWay
      partial = nextPartial
      underWay = nextUnderWay
    }

    return {
      arrived: (bytes) => {
        set(Math.max(0, partial + bytes), underWay)
        return all <= principalMax
      },
      framed: (bytes) => set(0, underWay + bytes),
      done: (bytes) => set(partial, Math.max(0, underWay - bytes)),
      isFull: () => underWay >= connectionMax || (underWay > 0 && all >= principalMax / 2),
      close: () => set(0, 0),
    }
  }

  return { open }
}
