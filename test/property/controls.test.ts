import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import {
  CONTROL_LIMITS,
  controlLogSchema,
  controlSchema,
  type Control,
  type ControlLog,
  type Versions,
} from '@plimsoll/contracts'
import { applyControl, controlsBefore, createControlView, NO_CONTROLS } from '@plimsoll/engine'
import { createRandom, type Random } from './random.js'

const TENANTS = ['acme', 'beta', 'default'] as const
const AGENTS = ['mailer', 'coder', ''] as const
const DEFAULTS = { bundle: '1'.repeat(32), policy: '2'.repeat(32), catalogue: '3'.repeat(32) }
const KINDS = ['bundle', 'policy', 'catalogue'] as const

/** A control change with its offset in the log. */
interface Laid {
  readonly control: Control
  readonly offset: bigint
}

function randomControl(random: Random, id: string, time: number): Control {
  const whom = random.chance(0.5) ? { tenant: random.pick(TENANTS) } : {}
  const agent = random.chance(0.5) ? { agent: random.pick(['mailer', 'coder']) } : {}
  const [kind, other] = [random.pick(KINDS), random.pick(KINDS)]
  const version = () => String(random.below(10)).repeat(32)
  const body = random.pick<object>([
    {
      type: 'versions.activated',
      versions: { [kind]: version(), [other]: version() },
      running: random.chance(0.5),
    },
    { type: 'mode.changed', ...whom, ...agent, mode: random.pick(['observe', 'enforce', 'inherit']) },
    { type: 'fleet.stopped', ...whom },
    { type: 'fleet.resumed', ...whom },
    {
      type: 'shadow.changed',
      ...(random.chance(0.7) && {
        candidate: random.chance(0.5) ? { bundle: version() } : { [kind]: version(), [other]: version() },
      }),
    },
  ])
  const envelope = { schema: 1, id, partition: 0, time, by: id, signature: 'f'.repeat(64) }
  return controlSchema.parse({ ...envelope, ...body })
}

/** The status of a session at `offset`, computed from the whole list of changes, the latest first. */
function naiveFor(laid: readonly Laid[], offset: bigint, tenant: string, agent: string) {
  const past = laid.filter((each) => each.offset < offset).toReversed()
  const modeFor = (ofTenant?: string, ofAgent?: string) => {
    for (const { control } of past)
      if (control.type === 'mode.changed' && control.tenant === ofTenant && control.agent === ofAgent)
        return control.mode === 'inherit' ? undefined : control.mode
    return undefined
  }
  const stopFor = (ofTenant?: string) => {
    for (const { control } of past)
      if (
        (control.type === 'fleet.stopped' || control.type === 'fleet.resumed') &&
        control.tenant === ofTenant
      )
        return control.type === 'fleet.stopped' ? control.by : undefined
    return undefined
  }
  return {
    mode: modeFor(tenant, agent) ?? modeFor(undefined, agent) ?? modeFor(tenant) ?? modeFor() ?? 'enforce',
    stoppedBy: stopFor() ?? stopFor(tenant),
  }
}

function naiveVersions(laid: readonly Laid[], offset: bigint, receivedUpTo: bigint | undefined) {
  const versions: Record<string, string> = { ...DEFAULTS }
  for (const { control, offset: at } of laid) {
    if (control.type !== 'versions.activated' || at >= offset) continue
    if (receivedUpTo === undefined || (control.running && at > receivedUpTo))
      Object.assign(versions, control.versions)
  }
  return versions
}

/** The candidate in shadow for a session pinned to the defaults. */
function naiveShadow(laid: readonly Laid[], offset: bigint): Versions | undefined {
  const past = laid.filter((each) => each.offset < offset).toReversed()
  for (const { control } of past)
    if (control.type === 'shadow.changed') {
      const versions = { ...DEFAULTS, ...control.candidate } as Versions
      return isDeepStrictEqual(versions, { ...DEFAULTS }) ? undefined : versions
    }
  return undefined
}

function checkAt(log: ControlLog, laid: readonly Laid[], offset: bigint, random: Random): void {
  const view = createControlView(controlsBefore(log, offset))
  const [tenant, agent] = [random.pick(TENANTS), random.pick(AGENTS)]
  const { mode, stop } = view.factsFor(tenant, agent)
  assert.deepEqual({ mode, stoppedBy: stop?.by }, naiveFor(laid, offset, tenant, agent))
  assert.deepEqual(view.activeOver(DEFAULTS), naiveVersions(laid, offset, undefined))
  assert.deepEqual(view.shadowOf(DEFAULTS), naiveShadow(laid, offset))
  const receivedUpTo = BigInt(random.below(Number(offset) + 1)) - 1n
  assert.deepEqual(
    { ...view.upgradedVersions(DEFAULTS, receivedUpTo) },
    naiveVersions(laid, offset, receivedUpTo),
  )
}

test('random control changes give the status that a naive reading of the whole list gives', () => {
  for (let seed = 0; seed < 300; seed++) {
    const random = createRandom(seed)
    const laid: Laid[] = []
    let log: ControlLog = NO_CONTROLS
    let [time, offset] = [1, 0n]
    for (let i = 0; i < 60; i++) {
      time += 1 + random.below(3)
      offset += BigInt(1 + random.below(5))
      const isOld = random.chance(0.1) && laid.length > 0
      const control = randomControl(random, `by-${i}`, isOld ? 0 : time)
      const applied = applyControl(log, control, offset)
      assert.equal('fault' in applied && applied.fault.code, isOld && 'control_stale', `seed ${seed}`)
      if (!('log' in applied)) continue
      log = applied.log
      laid.push({ control, offset })
      const kept = laid.slice(-CONTROL_LIMITS.changesMax)
      const first = laid.length > kept.length ? (kept[0]?.offset ?? 0n) : 0n
      for (let n = 0; n < 3; n++)
        checkAt(log, laid, first + BigInt(random.below(Number(offset - first) + 4)), random)
    }
    controlLogSchema.parse(log)
  }
})
