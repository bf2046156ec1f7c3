import assert from 'node:assert/strict'
import { test } from 'node:test'
import { underNode24 } from './under-node-24.js'

await underNode24(import.meta.filename, async () => {
  const [sdk, { declareSdkSuite }] = await Promise.all([import('ai'), import('./sdk-suite.js')])
  declareSdkSuite({ sdk, specificationVersion: 'v4' })

  const { createDesk } = await import('./desk.js')
  const { LEAK, READ } = await import('./agents/readme-example.js')
  const { sdkTools } = await import('./agents/sdk-agent.js')
  const { scriptedModel, turnsOf, wordsOf } = await import('./sdk-model.js')
  const { guardTools } = await import('@plimsoll/client/ai-sdk')

  test('agents of the SDK take guarded tools as they are', async (t) => {
    const desk = await createDesk(t)
    const { model, shown } = scriptedModel('v4', turnsOf(LEAK))
    const guarded = guardTools(desk.session, sdkTools(sdk, desk.tools))
    const { text } = await new sdk.ToolLoopAgent({ model, ...guarded }).generate({ prompt: 'Go.' })
    assert.deepEqual([text, desk.ran], ['done', [READ]])
    assert.match(shown().map(wordsOf).join(), /sensitive data/)
  })
})
