import assert from 'node:assert/strict'
import { test } from 'node:test'
import { membersAt } from './documents.js'

const policy = {
  kind: 'plimsoll.policy',
  specs: [
    { id: 'a', tier: 'blocklist', after: { tools: ['x'], within: { steps: 1 } } },
    { id: 'b', tier: 'mustlist', followedBy: { step: {}, within: 'session' } },
    { id: 'c', tier: 'banlist' },
  ],
}

test('the names that members may have', () => {
  const rows: [(string | number)[], string[], string[]][] = [
    [[], ['specs', 'analysis', 'line'], ['tier']],
    [['specs'], [], ['id']],
    [
      ['specs', 0],
      ['tools', 'atMost', 'flow', 'after'],
      ['lifts', 'followedBy'],
    ],
    [
      ['specs', 1],
      ['requires', 'followedBy'],
      ['lifts', 'atMost'],
    ],
    [['specs', 0, 'after'], ['tools', 'within', 'where'], ['tier']],
    [['specs', 0, 'after', 'within'], ['steps', 'seconds'], ['tools']],
    [['specs', 1, 'followedBy', 'within'], ['steps', 'seconds'], []],
    [['analysis', 'hazards', 0, 'reached'], ['sequence', 'unless', 'endsAfter', 'without'], []],
    [['line'], ['present', 'absent', 'unknown'], []],
    [['specs', 2], [], ['tools']],
    [['nowhere', 3], [], ['id']],
  ]
  for (const [path, some, none] of rows) {
    const members = membersAt('policy', path, policy)
    for (const name of some) assert.ok(members.includes(name), `${path.join('.')}: ${name}`)
    for (const name of none) assert.ok(!members.includes(name), `${path.join('.')}: ${name}`)
  }
  assert.ok(membersAt('catalogue', ['tools', 0], { tools: [{}] }).includes('labels'))
})
