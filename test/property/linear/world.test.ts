import { test } from 'node:test'
import type { CatalogueEntry, World } from '@plimsoll/contracts'
import { labelStep } from '@plimsoll/labels'
import { assertLinear, repeated } from './growth.js'

const BASH: CatalogueEntry = {
  tools: ['bash'],
  labels: { capability: 'execute', reversibility: 'partial' },
  arguments: [{ in: 'command', as: 'shell' }],
}

const WORLD: World = { production: ['a'.repeat(128), 'aa'], disposable: true, network: 'none', folder: '/a' }

const PARTS = ['a', '/', './', '/a', 'aa ', 'aa.']

test('words are held against a declared world in about linear steps', () =>
  assertLinear(
    (text) => labelStep('bash', { command: `rm -rf ${text}` }, BASH, undefined, { world: WORLD }),
    Object.fromEntries(PARTS.map((part) => [part, repeated(part)])),
    1_500,
  ))
