import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withGateway } from '../support/gateway-world.js'
import { connect } from './answering-client.js'
import { documentsOf, pluginOf } from './proxied.js'
import { REVISIONS, everythingCommand } from './suite.js'

const [command, ...args] = everythingCommand

/** Tools that make the server sample, by revision. */
const SAMPLES = {
  '2025-11-25': ['test_sampling', { prompt: 'Say something.' }],
  '2026-07-28': ['test_input_required_result_sampling', {}],
} as const

for (const revision of REVISIONS)
  test(`${revision}: reads and sampling are steps that a policy can stop`, async () => {
    const allowed = await documentsOf()
    const { catalogue } = allowed
    const tools = ['resources/read', 'sampling/createMessage']
    const specs = [{ id: 'no-server-texts', tier: 'blocklist' as const, tools }]
    const documents = { ...allowed, policy: { ...allowed.policy, name: 'strict', specs } }
    await withGateway(
      'embedded',
      async (deployment) => {
        await deployment.startMonitor({ documents: [documents] }).started
        const { client, asked } = await connect(deployment.gateway.url, revision)
        await assert.rejects(
          client.readResource({ uri: 'test://static-text' }),
          /`resources\/read` was blocked.*no-server-texts/,
        )
        const [name, values] = SAMPLES[revision]
        const called = client.callTool({ name, arguments: values })
        const outcome = await called.then(({ isError, content }) => ({ isError, content }), String)
        assert.match(JSON.stringify(outcome), /sampling\/createMessage.*blocked.*no-server-texts/)
        assert.deepEqual(asked, [], 'the model was not asked')
        const { prompts } = await client.listPrompts()
        assert.equal(prompts.length, 5)
        await client.close()
      },
      {
        client: { catalogue },
        plugins: [pluginOf({ everything: { command, args, protocol: revision, prefix: false } }, catalogue)],
      },
    )
  })

for (const revision of REVISIONS)
  test(`${revision}: several servers are one, with prompts by prefix and resources by URI`, async () => {
    const documents = await documentsOf()
    const { catalogue } = documents
    const servers = { one: { command, args, protocol: revision }, two: { command, args } }
    await withGateway(
      'embedded',
      async (deployment) => {
        await deployment.startMonitor({ documents: [documents] }).started
        const { client, call } = await connect(deployment.gateway.url, revision)
        assert.equal(client.getInstructions(), 'one: Every tool is a test.\n\ntwo: Every tool is a test.')
        const { prompts } = await client.listPrompts()
        assert.equal(prompts.filter(({ name }) => name.startsWith('two__')).length, 5)
        const prompt = await client.getPrompt({ name: 'two__test_simple_prompt' })
        assert.equal(prompt.messages.length, 1)
        await assert.rejects(client.getPrompt({ name: 'test_simple_prompt' }), /there is no prompt/)
        const { contents } = await client.readResource({ uri: 'test://template/7/data' })
        assert.match(JSON.stringify(contents), /Data for ID: 7/)
        await assert.rejects(client.readResource({ uri: 'other://nothing' }), /Resource not found/)
        assert.match(await call('two__test_simple_text'), /simple text/)
        assert.equal((await client.listTools()).tools.length % 2, 0)
        await client.close()
      },
      { client: { catalogue }, plugins: [pluginOf(servers, catalogue)] },
    )
  })
