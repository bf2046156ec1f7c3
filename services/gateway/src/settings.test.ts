import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { createLabeller } from '@plimsoll/labels'
import { readCatalogue } from '@plimsoll/policy'
import { parseConfig } from '@plimsoll/runtime'
import { gatewaySettings } from './settings.js'

test('own catalogues add to the shipped ones', async (t) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'plimsoll-'))
  t.after(() => rm(folder, { recursive: true }))
  const files = await Promise.all(
    ['one', 'two'].map(async (name) => {
      const labels = {
        capability: 'write',
        confidentiality: 'internal',
        trust: 'trusted',
        reversibility: 'partial',
      }
      const tools = [{ tools: [`tool_${name}`], labels }]
      const file = path.join(folder, `${name}.json`)
      await writeFile(file, JSON.stringify({ schema: 1, kind: 'plimsoll.catalogue', name, tools }))
      return file
    }),
  )
  const env = { PLIMSOLL_CATALOGUE: files.join(','), PLIMSOLL_PRINCIPALS: 'principals.yaml' }
  const { catalogueFiles } = parseConfig(gatewaySettings, env)
  assert.deepEqual(catalogueFiles, files)
  const labelOf = createLabeller(await readCatalogue(catalogueFiles))
  assert.deepEqual(
    ['tool_one', 'tool_two', 'send_email'].map((tool) => labelOf(tool)?.capability),
    ['write', 'write', 'network'],
  )
})
