import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { DiagnosticSeverity, Parser } from '@asyncapi/parser'
import { topicsOf } from '@plimsoll/contracts'
import { Ajv } from 'ajv'
import { parse } from 'yaml'
import { projectRoot } from '../../support/paths.js'

const text = readFileSync(path.join(projectRoot, 'docs/reference/asyncapi.yaml'), 'utf8')

/** What AsyncAPI's own parser finds: errors and warnings, each with its place. */
async function problemsIn(source: string) {
  const { document, diagnostics } = await new Parser().parse(source)
  const mattering = new Set<number>([DiagnosticSeverity.Error, DiagnosticSeverity.Warning])
  const problems = diagnostics
    .filter(({ severity }) => mattering.has(severity))
    .map(({ path, message }) => `${path.join('.')}: ${message}`)
  return { document, problems }
}

test("AsyncAPI's parser takes the document, with its examples, and finds the four topics in it", async () => {
  const { document, problems } = await problemsIn(text)
  assert.deepEqual(problems, [])
  assert.ok(document)
  const addresses = document
    .channels()
    .all()
    .map((channel) => channel.address())
  assert.deepEqual(addresses, Object.values(topicsOf()))
  const roles = new Set(
    document
      .operations()
      .all()
      .flatMap((operation) =>
        operation
          .tags()
          .all()
          .map((tag) => tag.name()),
      ),
  )
  assert.deepEqual([...roles], ['agent', 'monitor', 'operator', 'subscriber'])
  for (const message of document.components().messages().all())
    assert.ok(message.bindings().get('kafka')?.value().key, `${message.id()} has a key`)
})

const spoilt: readonly (readonly [what: string, from: string, to: string])[] = [
  ['a binding that Kafka does not have', 'topicConfiguration:', 'topicSettings:'],
  ['a reference to nothing', '#/components/messages/decision', '#/components/messages/decree'],
  ['a channel without its address', 'address: plimsoll.events', 'adress: plimsoll.events'],
]
for (const [what, from, to] of spoilt)
  test(`and it would find ${what}`, async () => {
    const changed = text.replace(from, to)
    assert.notEqual(changed, text)
    const { problems } = await problemsIn(changed)
    assert.notDeepEqual(problems, [])
  })

interface Component {
  readonly payload: { readonly $ref: string }
  readonly headers?: object
  readonly examples?: readonly { readonly payload: unknown; readonly headers?: unknown }[]
}

test('each example is what its message says', () => {
  const { components } = parse(text) as {
    components: { schemas: Record<string, object>; messages: Record<string, Component> }
  }
  const ajv = new Ajv({ strict: true, strictRequired: false, allowUnionTypes: true })
  for (const [name, { payload, headers = {}, examples = [] }] of Object.entries(components.messages)) {
    const isPayload = ajv.compile(components.schemas[path.posix.basename(payload.$ref)] ?? false)
    const areHeaders = ajv.compile(headers)
    // The two large documents are shipped, not shown.
    assert.equal(examples.length > 0, !['bundle', 'policy'].includes(name), name)
    for (const example of examples) {
      assert.ok(isPayload(example.payload), `${name}: ${ajv.errorsText(isPayload.errors)}`)
      assert.ok(areHeaders(example.headers ?? {}), `${name}: ${ajv.errorsText(areHeaders.errors)}`)
    }
  }
})
