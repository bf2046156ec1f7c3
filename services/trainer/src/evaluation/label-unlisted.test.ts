import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLabeller } from '@plimsoll/labels'
import { sampleTrace } from '../sample-traces.js'
import { recordingOf } from '../traces/recording.js'
import { labelUnlisted } from './label-unlisted.js'

const CATALOGUE = {
  schema: 1 as const,
  kind: 'plimsoll.catalogue' as const,
  name: 'small',
  tools: [
    {
      tools: ['look'],
      labels: {
        capability: 'read' as const,
        confidentiality: 'none' as const,
        trust: 'trusted' as const,
        reversibility: 'reversible' as const,
      },
    },
  ],
}
const recorded = (...tools: string[]) => [
  recordingOf(sampleTrace(tools, { tools_ref: 'sample' }), (_ref, tool) =>
    tool === 'dispatch' ? 'Sends an e-mail to any address' : undefined,
  ),
]

test('tools that the catalogue does not list are labelled by name and description', () => {
  const { catalogue, proposed } = labelUnlisted(CATALOGUE, recorded('look', 'dispatch', 'transfer_funds'))
  assert.deepEqual([...proposed].sort(), ['dispatch', 'transfer_funds'])
  const labelOf = createLabeller(catalogue)
  assert.equal(labelOf('look')?.capability, 'read')
  assert.equal(labelOf('dispatch')?.capability, 'network')
  assert.equal(labelOf('transfer_funds')?.reversibility, 'irreversible')
})

test('nothing is added where all is listed, and no name becomes a pattern', () => {
  assert.equal(labelUnlisted(CATALOGUE, recorded('look')).catalogue, CATALOGUE)
  const { catalogue, proposed } = labelUnlisted(CATALOGUE, recorded('*', 'a b', 'constructor'))
  assert.deepEqual(proposed, ['constructor'])
  assert.equal(createLabeller(catalogue)('anything'), undefined)
})
