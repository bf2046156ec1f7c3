type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>

/**
 * `fetch` whose responses fail once a message is longer than `bytesMax`: a body, or one event of an event stream of any length. The server is
 * not trusted, and a message is buffered before it is parsed.
 */
export function createBoundedFetch(bytesMax: number, send: Fetch = fetch): Fetch {
  return async (url, init) => {
    const response = await send(url, init)
    const { body, status, statusText, headers } = response
    if (!body) return response
    const isStream = headers.get('content-type')?.includes('text/event-stream') === true
    const lengthOf = isStream ? createEventLength() : createBodyLength()
    return new Response(body.pipeThrough(createBound(lengthOf, bytesMax)), { status, statusText, headers })
  }
}

/** Length so far of the longest message that `chunk` is a part of, bytes. */
type LengthOf = (chunk: Uint8Array) => number

function createBound(lengthOf: LengthOf, bytesMax: number): TransformStream<Uint8Array, Uint8Array> {
  return new TransformStream({
    transform: (chunk, controller) => {
      if (lengthOf(chunk) <= bytesMax) controller.enqueue(chunk)
      else controller.error(new Error(`its response is longer than ${bytesMax} bytes`))
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
