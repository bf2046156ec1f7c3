import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { openApiDocument } from '@plimsoll/gateway'
import { Validator } from '@seriousme/openapi-schema-validator'
import { projectRoot } from '../support/paths.js'

interface Operation {
  readonly operationId: string
  readonly responses: Readonly<Record<string, unknown>>
}

interface Document {
  readonly paths: Readonly<Record<string, { readonly post: Operation }>>
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> }
}

const document = openApiDocument() as Document

test('the OpenAPI document is valid, by the schema of OpenAPI 3.1', async () => {
  const validator = new Validator()
  const { valid, errors } = await validator.validate({ ...structuredClone(document) })
  assert.deepEqual(errors ?? [], [])
  assert.equal(valid, true)
  assert.equal(validator.version, '3.1')
})

test('each of its references leads to something in it', () => {
  const targets = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(
    ([, target = '']) => target,
  )
  assert.ok(targets.length > 20)
  const broken = targets.filter((target) => target.split('/').reduce(within, document) === undefined)
  assert.deepEqual(broken, [])
})

test('it needs no expression that only JavaScript knows', () => {
  assert.doesNotMatch(JSON.stringify(document), /\\\\p\{/i)
})

test('the page of the HTTP check names every address and every operation of it', () => {
  const page = readFileSync(path.join(projectRoot, 'docs/reference/http.md'), 'utf8')
  const unsaid = Object.keys(document.paths).filter((address) => !page.includes(`\`POST ${address}\``))
  assert.deepEqual(unsaid, [])
})

const within = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, key.replaceAll('~1', '/')) : undefined
