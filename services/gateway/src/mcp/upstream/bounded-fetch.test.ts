import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createBoundedFetch } from './bounded-fetch.js'

const BYTES_MAX = 64
const LONG = 'x'.repeat(40)

const answering = (chunks: readonly string[], type: string) =>
  createBoundedFetch(BYTES_MAX, async () => {
    const encoder = new TextEncoder()
    const body = new ReadableStream({
      start: (controller) => {
        for (const chunk of chunks) controller.enqueue(encoder.encode(chunk))
        controller.close()
      },
    })
    return new Response(body, { status: 201, headers: { 'content-type': type } })
  })

describe("a server's responses", () => {
  const cases: readonly (readonly [
    what: string,
    type: string,
    chunks: readonly string[],
    isTaken: boolean,
  ])[] = [
    ['short', 'application/json', [LONG], true],
    ['long in one piece', 'application/json', [LONG + LONG], false],
    ['long in many', 'application/json', [LONG, '\n\n', LONG], false],
    ['many events', 'text/event-stream', [`data: ${LONG}\n\n`, `data: ${LONG}\n\n`], true],
    [
      'events whose ends are torn',
      'text/event-stream',
      [`data: ${LONG}\r\n\r`, `\ndata: ${LONG}\r\n\r\n`],
      true,
    ],
    ['one long event', 'text/event-stream', [`data: ${LONG}\n`, `data: ${LONG}\n\n`], false],
    [
      'one long event of the other kind',
      'text/event-stream',
      [`data: ${LONG}\r\ndata: ${LONG}\r\n\r\n`],
      false,
    ],
    ['an event without end', 'text/event-stream', [LONG, LONG], false],
  ]
  for (const [what, type, chunks, isTaken] of cases)
    test(what, async () => {
      const response = await answering(chunks, type)('http://127.0.0.1/')
      assert.equal(response.status, 201)
      if (isTaken) assert.equal(await response.text(), chunks.join(''))
      else await assert.rejects(response.text(), /longer than 64 bytes/)
    })
})
