import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hash32 } from '@plimsoll/engine'
import { createExpression } from './numbering.js'

/** Texts that a quick hash of 32 bits takes for one: pairs of blocks that collide, one behind another (Joux 2004). */
function collidingTexts(blocks: number): string[] {
  let texts = ['']
  for (let block = 0; block < blocks; block++) {
    const [prefix = ''] = texts
    const seen = new Map<number, string>()
    for (let i = 0; ; i++) {
      const part = i.toString(36).padStart(6, '0')
      const hash = hash32(`"${prefix}${part}`)
      const other = seen.get(hash)
      seen.set(hash, part)
      if (other === undefined) continue
      texts = texts.flatMap((text) => [text + other, text + part])
      break
    }
  }
  return texts
}

test('values that an adversary makes alike for a quick hash are different ones', () => {
  const texts = collidingTexts(2).map((text) => `${text}@evil.example`)
  assert.equal(new Set(texts.map((text) => hash32(JSON.stringify(text)))).size, 1)
  const { read } = createExpression({ number: 0, text: 'args.to', wanted: 'values' })(() => false)
  const values = read({ to: texts })
  assert.ok(Array.isArray(values) && new Set(values).size === texts.length)
  assert.deepEqual(read({ to: texts }), values)
})
