/** What takes an HTTP request. */
export type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>

/**
 * `fetch` whose answers fail once one message of theirs is longer than `bytesMax`: a body, or an event of a stream of events, which itself may
 * go on for as long as it likes. Anyone who answers is not trusted, and a message is held as a whole before it is read.
 */
export function createBoundedFetch(bytesMax: number, ask: Fetch = fetch): Fetch {
  return async (url, init) => {
    const response = await ask(url, init)
    const { body, status, statusText, headers } = response
    if (!body) return response
    const isStream = headers.get('content-type')?.includes('text/event-stream') === true
    const lengthOf = isStream ? createEventLength() : createBodyLength()
    return new Response(body.pipeThrough(createBound(lengthOf, bytesMax)), { status, statusText, headers })
  }
}

/** Bytes of the longest message so far that `chunk` is a part of. */
type LengthOf = (chunk: Uint8Array) => number

function createBound(lengthOf: LengthOf, bytesMax: number): TransformStream<Uint8Array, Uint8Array> {
  return new TransformStream({
    transform: (chunk, controller) => {
      if (lengthOf(chunk) <= bytesMax) controller.enqueue(chunk)
      else controller.error(new Error(`its answer is longer than ${bytesMax} bytes`))
    },
  })
}

function createBodyLength(): LengthOf {
  let length = 0
  return (chunk) => (length += chunk.length)
}

const LF = 10
const CR = 13

/** An event ends with an empty line; a line with LF, CR or both. Source: the HTML standard, server-sent events. */
function createEventLength(): LengthOf {
  let length = 0
  let before = LF
  let isEmpty = true
  return (chunk) => {
    let longest = length
    for (const byte of chunk) {
      longest = Math.max(longest, ++length)
      if (byte !== LF && byte !== CR) isEmpty = false
      else if (byte !== LF || before !== CR) {
        if (isEmpty) length = 0
        isEmpty = true
      }
      before = byte
    }
    return longest
  }
}
