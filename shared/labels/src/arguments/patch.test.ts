import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CatalogueEntry } from '@plimsoll/contracts'
import { labelStep } from './label-step.js'

const PATCH: CatalogueEntry = {
  tools: ['apply_patch'],
  labels: { capability: 'write', confidentiality: 'internal', trust: 'trusted', reversibility: 'partial' },
}

const actsOf = (...lines: string[]) => {
  const input = ['*** Begin Patch', ...lines, '*** End Patch', ''].join('\n')
  const { objects, labels, signals } = labelStep('apply_patch', { input }, PATCH, undefined)
  return {
    acts: objects.map(({ act, reach, thing }) => [act, reach, thing]),
    tags: labels.tags ?? [],
    signals,
  }
}

test('an ordinary patch changes files of the project', () => {
  const { acts, tags } = actsOf('*** Update File: src/a.ts', '@@', '-a', '+b', '*** Add File: src/b.ts', '+c')
  assert.deepEqual(acts, [])
  assert.deepEqual(tags, [])
})

test('what a patch deletes, and the settings of agents that it changes', () => {
  assert.deepEqual(actsOf('*** Delete File: /home/ann/Documents/a.odt').acts[0]?.slice(0, 2), [
    'delete',
    'shared',
  ])
  for (const line of ['Update File: /home/ann/.codex/config.toml', 'Add File: .claude/settings.json'])
    assert.ok(
      actsOf(`*** ${line}`, '+x').acts.some(([act, reach]) => act === 'control' && reach === 'control'),
      line,
    )
  const moved = actsOf('*** Update File: src/a', '*** Move to: /home/ann/.ssh/authorized_keys', '+x')
  assert.equal(moved.signals.doesGrant, 1)
  assert.deepEqual(actsOf('*** Add File: /home/ann/.local/state/plimsoll/approvals/1.json', '+x').tags, [
    'disables-plimsoll',
  ])
})

test('a text that only mentions a patch is none', () => {
  const input = 'see\n*** Begin Patch\n*** Delete File: /etc/passwd\n'
  assert.deepEqual(labelStep('apply_patch', { input }, PATCH, undefined).objects, [])
})
