import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test, type TestContext } from 'node:test'
import { promisify } from 'node:util'
import { kafka, withoutPair } from '../support/components.js'
import { deploy } from '../support/deployment.js'
import { projectRoot } from '../support/paths.js'

const run = promisify(execFile)

/** The blocks of JavaScript in README, in their order. */
async function examples(): Promise<[library: string, kafka: string]> {
  const text = await readFile(path.join(projectRoot, 'README.md'), 'utf8')
  const [library, overKafka, ...more] = [...text.matchAll(/^```js\n([^]*?)^```$/gm)].map(([, block]) => block)
  assert.ok(library && overKafka && more.length === 0, 'README has two blocks of JavaScript')
  return [library, overKafka]
}

/** Runs `code` as a file of the project, where its imports resolve as a reader's do. */
async function runExample(t: TestContext, name: string, code: string): Promise<string> {
  const file = path.join(projectRoot, 'test/dist', `${name}.mjs`)
  await writeFile(file, code)
  t.after(() => rm(file))
  const { stdout } = await run(process.execPath, [file], { timeout: 60_000 })
  return stdout
}

test("README's agent in library mode may not mail what it has read", async (t) => {
  const [library] = await examples()
  const stdout = await runExample(t, 'readme-library', library)
  assert.match(stdout, /^block /)
  assert.match(stdout, /carries sensitive data/)
})

test("README's agent over Kafka is answered", { skip: withoutPair }, async (t) => {
  const [, overKafka] = await examples()
  const world = await deploy('real')
  try {
    world.startMonitor()
    const ours = `brokers: ${JSON.stringify(kafka.brokers)}, topicPrefix: '${world.prefix}plimsoll'`
    const code = overKafka.replace("brokers: ['127.0.0.1:9092']", ours)
    assert.notEqual(code, overKafka)
    const stdout = await runExample(
      t,
      `readme-kafka-${world.prefix}`,
      `${code}\nconsole.log(final.by, final.verdict)\n`,
    )
    // Of an e-mail to somebody, by an agent that tells nothing of its task, the bundle that ships warns.
    assert.equal(stdout, 'decision warn\n')
  } finally {
    await world.close()
  }
})
