import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Evidence, Verdict } from '@plimsoll/contracts'
import { type SampleTool, sampleChain, spec } from '../testing.js'
import { allow, judged } from './testing.js'

const LINE = 'line:outgoing_after_sensitive'
const CODE = 'line:unknown_code_after_sensitive'

test('the line is judged on this step: it may send, and something sensitive was read before', () => {
  const rows: [string, string[], Evidence | undefined, Verdict, string[]][] = [
    ['send_email', ['read_secret'], undefined, 'confirm', [LINE]],
    ['send_email', ['read_secret'], 'unknown', 'confirm', [LINE]],
    ['send_email', ['read_secret'], 'present', 'block', [LINE]],
    ['send_email', ['read_secret'], 'absent', 'allow', [LINE]],
    ['send_email', ['read_keys', 'read_public'], 'present', 'block', [LINE]],
    ['send_email', ['read_file'], 'present', 'allow', []],
    ['send_email', [], 'present', 'allow', []],
    ['fetch_page', ['read_secret'], 'present', 'block', [LINE]],
    ['fetch_page', ['read_secret'], 'absent', 'allow', []],
    ['fetch_page', ['read_secret'], 'unknown', 'allow', []],
    ['run_code', ['read_secret'], 'present', 'block', [CODE]],
    ['run_code', ['read_secret'], 'unknown', 'confirm', [CODE]],
    ['run_code', ['read_secret'], 'absent', 'confirm', [CODE]],
    ['run_code', ['read_file'], 'unknown', 'allow', []],
    ['write_file', ['read_secret'], 'present', 'allow', []],
    ['read_keys', ['read_secret'], 'present', 'allow', []],
  ]
  for (const [tool, before, evidence, verdict, codes] of rows)
    assert.deepEqual(judged(tool, {}, before, evidence), [verdict, codes], `${tool} after ${before.join()}`)
})

test('the policy sets the verdict of the line', () => {
  const line = { present: 'warn', absent: 'confirm', unknown: 'block' } as const
  for (const evidence of ['present', 'absent', 'unknown'] as const)
    assert.deepEqual(judged('send_email', { line }, ['read_secret'], evidence), [line[evidence], [LINE]])
})

test('each tier, alone and together', () => {
  const blocklist = [spec('never')]
  const confirmation = [spec('ask')]
  const rows: [SampleTool, Verdict, string[]][] = [
    [{ blocklist }, 'block', ['blocklist:never']],
    [{ confirmation }, 'confirm', ['confirmation:ask']],
    [{ blocklist, confirmation }, 'block', ['blocklist:never', 'confirmation:ask']],
    [{ confirmation, allowlist: allow('confirmation') }, 'allow', ['-confirmation:ask']],
    [{ confirmation, allowlist: allow('line') }, 'confirm', ['confirmation:ask']],
    [{ blocklist, allowlist: allow('confirmation', 'line', 'hazard') }, 'block', ['blocklist:never']],
    [
      { blocklist, confirmation, allowlist: allow('confirmation') },
      'block',
      ['blocklist:never', '-confirmation:ask'],
    ],
    [{ confirmation: [spec('a'), spec('b')] }, 'confirm', ['confirmation:a', 'confirmation:b']],
  ]
  for (const [rule, verdict, codes] of rows)
    assert.deepEqual(judged('read_file', { tools: { read_file: rule } }), [verdict, codes])
})

test('an allowlist lifts what it names and lists it: the line, a hazard, a forward risk', () => {
  const chain = sampleChain({ hazard: () => 0.9, probability: () => 0.9 })
  const tools = (...lifts: Parameters<typeof allow>) => ({ send_email: { allowlist: allow(...lifts) } })
  const plain = judged('send_email', { chain }, [])
  assert.deepEqual(plain, ['block', ['hazard:step_hazard', 'forward:band_3']])
  const lifted = judged('send_email', { chain, tools: tools('hazard') }, [])
  assert.deepEqual(lifted, ['confirm', ['-hazard:step_hazard', 'forward:band_3']])
  const both = judged('send_email', { chain, tools: tools('hazard', 'forward') }, [])
  assert.deepEqual(both, ['allow', ['-hazard:step_hazard', '-forward:band_3']])
  const line = judged('send_email', { tools: tools('line') }, ['read_secret'], 'present')
  assert.deepEqual(line, ['allow', [`-${LINE}`]])
})
