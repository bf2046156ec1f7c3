import { PlimsollError } from '@plimsoll/contracts'
import type { Registry } from '@plimsoll/runtime'
import { defineCommand } from '../command.js'
import { controlOptions } from '../control/options.js'
import { assertPrefixes, resolveVersions } from '../control/resolve-versions.js'
import { runControl, type Change } from '../control/run-control.js'
import { controlSettings } from '../control/settings.js'
import { environmentOf } from '../environment.js'

export const activate = defineCommand({
  name: 'activate',
  summary: 'has sessions judged by other published documents; an earlier version is the roll-back',
  description: [
    'New sessions are judged by these versions; a kind of document that is not named stays as it is. Sessions that run go on with what',
    'they began with, unless `--running` moves them: each then moves before its next event is judged.',
    'With `--shadow` nothing is activated: each proposal is judged by that bundle as well, no verdict depends on it, and metrics and the topic',
    'of the shadow tell where the two differ. One bundle runs in shadow at a time.',
    'Waits for what every partition makes of it, and fails where one refuses it or tells nothing. Given again it makes good what is left.',
  ],
  operands: {
    name: 'VERSION',
    help: 'a published version, or its first 8 digits or more; one of a kind',
    min: 0,
    max: 3,
  },
  options: {
    running: { type: 'flag', help: 'moves the sessions that run as well' },
    shadow: {
      type: 'text',
      value: 'VERSION',
      help: 'a bundle to run in shadow instead; `none` for none any more',
    },
    ...controlOptions,
  },
  environment: environmentOf(controlSettings),
  examples: [
    ['3f2a91c4', 'for new sessions'],
    ["3f2a91c4 --running --reason 'leak in the mail tool'", 'an urgent policy, for all sessions'],
    ["a07be1d2 --running --reason 'roll back'", 'the version before it: the roll-back'],
    ['--shadow 3f2a91c4', 'a candidate beside what is active'],
    ['--shadow none', 'no candidate any more'],
  ],
  run: ({ running, shadow, ...values }, operands, context) => {
    assertGoTogether({ running, shadow }, operands)
    if (shadow !== undefined) return runControl(values, context, shadowing(shadow))
    assertPrefixes(operands)
    return runControl(values, context, (registry) => ({
      type: 'versions.activated',
      versions: resolveVersions(operands, registry.documents()),
      running,
    }))
  },
})

interface Given {
  readonly running: boolean
  readonly shadow: string | undefined
}

function assertGoTogether({ running, shadow }: Given, operands: readonly string[]): void {
  if (shadow === undefined && operands.length === 0)
    throw new PlimsollError('usage_invalid', 'VERSION is missing')
  if (shadow !== undefined && (running || operands.length > 0))
    throw new PlimsollError(
      'usage_invalid',
      '`--shadow` activates nothing: neither a VERSION nor `--running` goes with it',
    )
}

/** The change that runs the bundle `given` names in shadow, or none. Throws `usage_invalid` and `version_unknown`. */
function shadowing(given: string): (registry: Registry) => Change {
  if (given === 'none') return () => ({ type: 'shadow.changed' })
  assertPrefixes([given])
  return (registry) => {
    const { bundle, ...others } = resolveVersions([given], registry.documents())
    if (bundle === undefined)
      throw new PlimsollError(
        'usage_invalid',
        `\`${given}\` is a ${Object.keys(others).join()}: only a bundle runs in shadow`,
      )
    return { type: 'shadow.changed', candidate: { bundle } }
  }
}
