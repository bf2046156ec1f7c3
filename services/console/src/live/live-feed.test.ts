import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type LiveEvent, createLiveFeed } from './live-feed.js'

const ROW = { decisionId: 'd', sessionId: 's' }
const OF = { sessionId: 's', tenant: 'acme' }

function createReader(isFlowing = true) {
  const got: LiveEvent[] = []
  const state = { isFlowing, gaps: 0, isEnded: false }
  return {
    got,
    state,
    reader: {
      user: 'ines',
      isWanted: ({ about }: LiveEvent) => about?.tenant === 'acme',
      send: (event: LiveEvent) => {
        got.push(event)
        return state.isFlowing
      },
      onGap: () => void (state.gaps += 1),
      onEnd: () => void (state.isEnded = true),
    },
  }
}

test('a reader gets what is wanted, once, and resumes after the last event', () => {
  const feed = createLiveFeed()
  const first = createReader()
  const subscription = feed.subscribe(undefined, first.reader)
  assert.equal(subscription.isGap, false)
  const { close } = subscription.start()
  feed.publish('answered', OF, ROW)
  feed.publish('answered', { ...OF, tenant: 'globex' }, ROW)
  close()
  feed.publish('answered', OF, ROW)
  feed.publish('answered', OF, ROW)
  assert.equal(first.got.length, 1)
  const again = createReader()
  const resumed = feed.subscribe(first.got[0]?.id, again.reader)
  assert.equal(resumed.isGap, false)
  resumed.start()
  assert.equal(again.got.length, 2)
  assert.equal(feed.readers(), 1)
})

test('what is no longer kept is a gap', () => {
  const feed = createLiveFeed({ keptMax: 2 })
  const { got, reader } = createReader()
  feed.subscribe(undefined, reader).start()
  for (let i = 0; i < 6; i++) feed.publish('answered', OF, ROW)
  const isGap = (id: string | undefined) => feed.subscribe(id, createReader().reader).isGap
  assert.deepEqual([isGap(got[0]?.id), isGap(got[5]?.id), isGap('of another run')], [true, false, true])
  feed.skip()
  assert.equal(isGap(got[5]?.id), true)
})

test('events are kept by their characters too', () => {
  const size = JSON.stringify(ROW).length
  const feed = createLiveFeed({ keptCharsMax: 4 * size })
  const { got, reader } = createReader()
  feed.subscribe(undefined, reader).start()
  for (let i = 0; i < 5; i++) feed.publish('answered', OF, ROW)
  const isGap = (i: number) => feed.subscribe(got[i]?.id, createReader().reader).isGap
  assert.deepEqual([0, 1, 2, 3, 4].map(isGap), [true, true, true, false, false])
})

test('a slow reader waits, then is cut off; others go on', () => {
  const feed = createLiveFeed({ waitingMax: 3 })
  const slow = createReader(false)
  const other = createReader()
  const subscription = feed.subscribe(undefined, slow.reader).start()
  feed.subscribe(undefined, other.reader).start()
  for (let i = 0; i < 3; i++) feed.publish('answered', OF, ROW)
  assert.equal(slow.got.length, 1)
  slow.state.isFlowing = true
  subscription.resume()
  assert.equal(slow.got.length, 3)
  slow.state.isFlowing = false
  for (let i = 0; i < 5; i++) feed.publish('answered', OF, ROW)
  assert.deepEqual([slow.state.isEnded, feed.readers(), other.got.length], [true, 1, 8])
})

test('readers learn of events that were left out', () => {
  const feed = createLiveFeed()
  const { state, reader } = createReader()
  feed.subscribe(undefined, reader).start()
  feed.skip()
  assert.equal(state.gaps, 1)
})
