import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withGateway } from '../support/gateway-world.js'
import { forwardWithKey } from './forward.js'
import { documentsOf, pluginOf } from './proxied.js'
import {
  REVISIONS,
  type Results,
  type Revision,
  checksIn,
  everythingCommand,
  lostBetween,
  passedIn,
  runSuite,
  startEverything,
  suiteNode,
} from './suite.js'

/** Scenarios that need not pass through the proxy. `docs/guides/mcp.md` has the reasons. */
const EXCEPTIONS: Readonly<Record<Revision, readonly string[]>> = { '2025-11-25': [], '2026-07-28': [] }

/** Runs the suite against a gateway in front of the everything server. */
async function runThroughProxy(
  program: string,
  revision: Revision,
  server: Readonly<Record<string, unknown>>,
): Promise<Results> {
  const documents = await documentsOf()
  const { catalogue } = documents
  let results: Results = new Map()
  await withGateway(
    'embedded',
    async (deployment) => {
      await deployment.startMonitor({ documents: [documents] }).started
      const { url, close } = await forwardWithKey(deployment.gateway.url, 'key-of-desk')
      try {
        results = await runSuite(program, `${url}/mcp`, revision)
      } finally {
        await close()
      }
    },
    { client: { catalogue }, plugins: [pluginOf({ everything: { prefix: false, ...server } }, catalogue)] },
  )
  return results
}

const figures = (results: Results): string =>
  `${passedIn(results)} of ${results.size} scenarios, ${checksIn(results)} checks`

const node = await suiteNode()
const skip = 'missing' in node ? node.missing : false

for (const revision of REVISIONS)
  test(`${revision}: what passes with a server passes through the proxy`, { skip }, async (t) => {
    const program = 'program' in node ? node.program : ''
    const url = await startEverything(t)
    const [command, ...args] = everythingCommand
    const bare = await runSuite(program, url, revision)
    t.diagnostic(`bare: ${figures(bare)}`)
    for (const [way, server] of [
      ['HTTP', { url }],
      ['standard input and output', { command, args, protocol: revision }],
    ] as const) {
      const proxied = await runThroughProxy(program, revision, server)
      t.diagnostic(`in front of a server over ${way}: ${figures(proxied)}`)
      const lost = Object.entries(lostBetween(bare, proxied)).filter(
        ([name]) => !EXCEPTIONS[revision].includes(name),
      )
      assert.deepEqual(Object.fromEntries(lost), {}, way)
    }
  })
