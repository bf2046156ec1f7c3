import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withGateway } from '../support/gateway-world.js'
import { type Connected, connect } from './answering-client.js'
import { documentsOf, pluginOf } from './proxied.js'
import { REVISIONS, type Revision, everythingCommand, otherThan } from './suite.js'

/** What a server of the era asks of its client during a call. */
const ASKS: Readonly<Record<Revision, (connected: Connected) => Promise<void>>> = {
  '2025-11-25': async ({ call, asked }) => {
    assert.match(
      await call('test_elicitation', { message: 'Who are you?' }),
      /action=accept.*ann@example.com/,
    )
    assert.match(await call('test_sampling', { prompt: 'The capital of France?' }), /LLM response: Paris/)
    assert.deepEqual([asked.length, asked[0]], [2, 'Who are you?'])
    assert.match(asked[1] ?? '', /capital of France/)
  },
  '2026-07-28': async ({ call, asked }) => {
    const text = await call('test_input_required_result_multiple_inputs')
    for (const part of [/Ann/, /Paris/, /file:\/\/\/here/]) assert.match(text, part)
    assert.match(await call('test_input_required_result_multi_round'), /all rounds are done/)
    assert.equal(asked.length, 4)
  },
}

for (const era of REVISIONS)
  test(`a client of ${era} has all of a server of the other revision`, async () => {
    const [command, ...args] = everythingCommand
    const everything = { command, args, protocol: otherThan(era), prefix: false }
    const documents = await documentsOf()
    const { catalogue } = documents
    await withGateway(
      'embedded',
      async (deployment) => {
        await deployment.startMonitor({ documents: [documents] }).started
        const connected = await connect(deployment.gateway.url, era)
        const { client, call } = connected
        assert.equal(client.getServerVersion()?.name, 'everything')
        assert.equal(client.getInstructions(), 'Every tool is a test.')
        await ASKS[otherThan(era)](connected)

        const { resources } = await client.listResources()
        assert.equal(resources.length, 3)
        const read = await client.readResource({ uri: 'test://template/7/data' })
        assert.match(JSON.stringify(read.contents), /Data for ID: 7/)
        const { _meta: meta } = read
        assert.ok(meta?.['dev.plimsoll/decision'])
        await assert.rejects(client.readResource({ uri: 'test://nothing' }), /Resource not found/)
        const prompt = await client.getPrompt({
          name: 'test_prompt_with_arguments',
          arguments: { arg1: 'one', arg2: 'two' },
        })
        assert.match(JSON.stringify(prompt.messages), /arg1='one'/)
        const ref = { type: 'ref/prompt' as const, name: 'test_prompt_with_arguments' }
        const { completion } = await client.complete({ ref, argument: { name: 'arg1', value: 'par' } })
        assert.deepEqual(completion.values, ['paris', 'park', 'party'])

        const progress: number[] = []
        const params = { name: 'test_tool_with_progress', arguments: {} }
        await client.callTool(params, { onprogress: (step) => void progress.push(step.progress) })
        assert.deepEqual(progress, [0, 50, 100])
        assert.match(await call('test_simple_text'), /simple text/)

        const noticed = connected.toolsChanged()
        await call('test_trigger_tool_change')
        await noticed
        await client.close()
      },
      { client: { catalogue }, plugins: [pluginOf({ everything }, catalogue)] },
    )
  })
