import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { topicsOf } from '@plimsoll/contracts'
import { createEmbeddedLog } from '@plimsoll/runtime/embedded'
import { within } from '@plimsoll/runtime'
import { watchAnswer } from './watch-answer.js'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

test('the wait for an answer ends, whatever is collected meanwhile', async () => {
  const log = createEmbeddedLog()
  const topics = topicsOf('plimsoll')
  await log.createTopics([topics.decisions, topics.deadLetters].map((topic) => ({ topic, partitions: 1 })))
  const watch = await watchAnswer(log, topics, 'event', new AbortController().signal)
  const answered = watch.answer(200)
  const collecting = setInterval(collectGarbage, 20)
  try {
    assert.equal(await within(60_000, answered, 'still waiting'), undefined)
  } finally {
    clearInterval(collecting)
    await log.close()
  }
})
