import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as contracts from '@plimsoll/contracts'
import type { Control, ControlLog, ControlOf, ControlState, ControlType } from '@plimsoll/contracts'
import { CONTROL_LIMITS, NO_CONTROLS, applyControl, controlsBefore } from './controls.js'
import { createControlView } from './view.js'

type Body<T extends ControlType> = Omit<
  ControlOf<T>,
  'schema' | 'id' | 'partition' | 'by' | 'signature' | 'type' | 'time'
>

const version = (digit: string) => digit.repeat(32)
const DEFAULTS = { bundle: version('1'), policy: version('2'), catalogue: version('3') }

function control<T extends ControlType>(
  type: T,
  time: number,
  body: Body<T>,
  id = `${type}-${time}`,
): Control {
  const envelope = { schema: 1, id, partition: 0, time, by: 'ann', signature: 'f'.repeat(64) }
  return contracts.controlSchema.parse({ ...envelope, type, ...body })
}

/** Applies `controls` one after another, at offsets 10, 20, …; each log must be valid by the contract. */
function apply(controls: readonly Control[], from: ControlLog = NO_CONTROLS): ControlLog {
  return controls.reduce((log, each, i) => {
    const result = applyControl(log, each, BigInt(10 * (i + 1)))
    assert.ok('log' in result, JSON.stringify(result))
    return contracts.controlLogSchema.parse(result.log)
  }, from)
}

const stateOf = (log: ControlLog): ControlState => controlsBefore(log, 1_000_000n)
const faultOf = (log: ControlLog, each: Control) => {
  const result = applyControl(log, each, 999n)
  return 'fault' in result ? result.fault : undefined
}

test("the engine has the contracts' limits, and begins with no controls", () => {
  assert.deepEqual(CONTROL_LIMITS, contracts.CONTROL_LIMITS)
  assert.deepEqual(contracts.controlLogSchema.parse(NO_CONTROLS), NO_CONTROLS)
})

test('a mode is that of the agent of the tenant, the agent, the tenant, the fleet, in this order', () => {
  const settings = [{}, { tenant: 'acme' }, { agent: 'mailer' }, { tenant: 'acme', agent: 'mailer' }]
  const sessions = [
    ['other', 'other'],
    ['acme', 'other'],
    ['other', 'mailer'],
    ['acme', 'mailer'],
  ] as const
  const modeTable = (log: ControlLog) => {
    const { factsFor } = createControlView(stateOf(log))
    return sessions
      .map(([tenant, agent]) => factsFor(tenant, agent).mode === 'observe')
      .map(Number)
      .join('')
  }
  const rows: [observed: number[], enforced: number[], expected: string][] = [
    [[], [], '0000'],
    [[0], [], '1111'],
    [[1], [], '0101'],
    [[2], [], '0011'],
    [[3], [], '0001'],
    [[0], [1], '1010'],
    [[0], [2], '1100'],
    [[0], [3], '1110'],
    [[1], [2], '0100'],
    [[2], [1], '0011'],
    [[1, 2], [3], '0110'],
  ]
  for (const [observed, enforced, expected] of rows) {
    const set = (mode: 'observe' | 'enforce') => (i: number) =>
      control('mode.changed', 1, { mode, ...settings[i] }, `${mode}${i}`)
    const log = apply([...observed.map(set('observe')), ...enforced.map(set('enforce'))])
    assert.equal(modeTable(log), expected, JSON.stringify([observed, enforced]))
  }
})

test('`inherit` takes a setting back, and a later setting takes the place of an earlier', () => {
  const log = apply([
    control('mode.changed', 1, { mode: 'observe', tenant: 'acme' }),
    control('mode.changed', 2, { mode: 'enforce', tenant: 'acme' }),
    control('mode.changed', 3, { mode: 'observe' }),
  ])
  assert.equal(stateOf(log).modes.length, 2)
  assert.equal(createControlView(stateOf(log)).factsFor('acme', '').mode, 'enforce')
  const back = apply([control('mode.changed', 4, { mode: 'inherit', tenant: 'acme' })], log)
  assert.equal(createControlView(stateOf(back)).factsFor('acme', '').mode, 'observe')
})

test('a stop names its author, and is revoked for its own scope', () => {
  const stopped = apply([
    control('fleet.stopped', 1, { tenant: 'acme' }),
    control('fleet.stopped', 2, { reason: 'a drill' }),
  ])
  const reported = createControlView(stateOf(stopped)).factsFor
  assert.deepEqual(reported('other', ''), { mode: 'enforce', stop: { by: 'ann', reason: 'a drill' } })
  const resumed = apply([control('fleet.resumed', 3, {})], stopped)
  const view = createControlView(stateOf(resumed))
  assert.equal(view.factsFor('other', '').stop, undefined)
  assert.deepEqual(view.factsFor('acme', '').stop, { by: 'ann' })
  assert.deepEqual(stateOf(apply([control('fleet.resumed', 4, { tenant: 'acme' })], resumed)).stops, [])
})

test('new sessions pin the activated versions; others stay', () => {
  const log = apply([
    control('versions.activated', 1, { versions: { policy: version('a') }, running: false }),
    control('versions.activated', 2, { versions: { bundle: version('b') }, running: false }),
  ])
  const { activeOver, upgradedVersions: movedTo } = createControlView(stateOf(log))
  assert.deepEqual(activeOver(DEFAULTS), { ...DEFAULTS, policy: version('a'), bundle: version('b') })
  assert.equal(movedTo(DEFAULTS, 0n), DEFAULTS, 'running sessions stay')
})

test('each document upgrades running sessions whose last event is older', () => {
  const log = apply([
    control('versions.activated', 1, { versions: { bundle: version('b') }, running: true }),
    control('versions.activated', 2, { versions: { policy: version('a') }, running: true }),
    control('versions.activated', 3, { versions: { catalogue: version('c') }, running: false }),
  ])
  const { upgradedVersions: movedTo } = createControlView(stateOf(log))
  assert.deepEqual(movedTo(DEFAULTS, 5n), { ...DEFAULTS, bundle: version('b'), policy: version('a') })
  assert.deepEqual(movedTo(DEFAULTS, 10n), { ...DEFAULTS, policy: version('a') })
  assert.deepEqual(movedTo(DEFAULTS, 19n), { ...DEFAULTS, policy: version('a') })
  assert.equal(movedTo(DEFAULTS, 20n), DEFAULTS)
})

test('a shadow candidate stays until it is replaced or removed; sessions pinned to it have no shadow', () => {
  const began = control('shadow.changed', 1, { candidate: { bundle: version('b') }, reason: 'refitted' })
  const log = apply([began])
  assert.deepEqual(stateOf(log).shadow, { bundle: version('b'), by: 'ann', time: 1, reason: 'refitted' })
  const { shadowOf, activeOver } = createControlView(stateOf(log))
  assert.deepEqual(shadowOf(DEFAULTS), { ...DEFAULTS, bundle: version('b') })
  assert.equal(shadowOf({ ...DEFAULTS, bundle: version('b') }), undefined)
  assert.deepEqual(activeOver(DEFAULTS), DEFAULTS, 'nothing is activated')
  const other = apply([control('shadow.changed', 2, { candidate: { bundle: version('c') } })], log)
  assert.equal(stateOf(other).shadow?.bundle, version('c'))
  const several = { policy: version('d'), catalogue: DEFAULTS.catalogue }
  const besides = createControlView(
    stateOf(apply([control('shadow.changed', 3, { candidate: several })], other)),
  )
  assert.deepEqual(besides.candidate, several, 'in place of the one before, as a whole')
  assert.deepEqual(besides.shadowOf(DEFAULTS), { ...DEFAULTS, policy: version('d') })
  const none = stateOf(apply([control('shadow.changed', 3, {})], other))
  assert.equal(createControlView(none).shadowOf(DEFAULTS), undefined)
  assert.ok(!('shadow' in none))
})

test('a change that is among the latest changes nothing when it comes again', () => {
  const first = control('mode.changed', 5, { mode: 'observe' })
  const log = apply([first, control('fleet.stopped', 6, {})])
  assert.deepEqual(applyControl(log, first, 99n), { log })
})

test('refuses a change older than the current setting, even if that was folded', () => {
  const log = apply([control('fleet.stopped', 5, {})])
  assert.equal(faultOf(log, control('fleet.resumed', 4, {}))?.code, 'control_stale')
  assert.equal(faultOf(log, control('fleet.resumed', 5, {})), undefined, 'in the same millisecond')
  const burst = Array.from({ length: 17 }, (_, i) => control('mode.changed', 7, { mode: 'observe' }, `m${i}`))
  const [oldest] = burst
  assert.ok(oldest)
  assert.equal(faultOf(apply(burst), oldest)?.code, 'control_stale')
})

test('knows the controls at the offset of each recent change; older changes are folded', () => {
  const changes = Array.from({ length: 20 }, (_, i) =>
    control(
      'versions.activated',
      i,
      { versions: { policy: version((i % 16).toString(16)) }, running: true },
      `v${i}`,
    ),
  ).slice(1)
  const log = apply(changes)
  assert.equal(log.changes.length, CONTROL_LIMITS.changesMax)
  assert.equal(log.base.active.policy, version('3'))
  assert.equal(log.base.time, 3)
  const policyAt = (offset: bigint) => controlsBefore(log, offset).active.policy
  assert.equal(policyAt(40n), version('3'), 'the change at 40 is behind an event at 40')
  assert.equal(policyAt(41n), version('4'))
  assert.equal(policyAt(0n), version('3'), 'the oldest counts from the beginning')
  assert.equal(policyAt(1000n), version('3'))
  assert.equal(controlsBefore(log, 41n).running.policy?.offset, '40')
})

test('refuses settings and stops beyond the limit, except replacements', () => {
  const who = { by: 'ann', time: 1 }
  const tenants = Array.from({ length: 1000 }, (_, i) => `t${i}`)
  const base: ControlState = {
    ...NO_CONTROLS.base,
    stops: tenants.map((tenant) => ({ tenant, ...who })),
    modes: tenants.map((tenant) => ({ tenant, agent: null, mode: 'observe', ...who })),
  }
  const log = { base, changes: [] }
  assert.equal(faultOf(log, control('fleet.stopped', 2, { tenant: 'more' }))?.code, 'controls_full')
  assert.equal(
    faultOf(log, control('mode.changed', 2, { tenant: 'more', mode: 'observe' }))?.code,
    'controls_full',
  )
  assert.equal(faultOf(log, control('fleet.stopped', 2, { tenant: 't7' })), undefined)
  assert.equal(faultOf(log, control('mode.changed', 2, { tenant: 't7', mode: 'enforce' })), undefined)
  assert.equal(faultOf(log, control('fleet.resumed', 2, { tenant: 't7' })), undefined)
})

test('does not modify its input', () => {
  const log = apply([control('mode.changed', 1, { mode: 'observe' })])
  const copy = structuredClone(log)
  apply(
    [
      control('fleet.stopped', 2, {}),
      control('versions.activated', 3, { versions: { policy: version('a') }, running: true }),
    ],
    log,
  )
  assert.deepEqual(log, copy)
})
