import { defineCommand } from '../command.js'
import { controlOptions } from '../control/options.js'
import { assertPrefixes, resolveVersions } from '../control/resolve-versions.js'
import { runControl } from '../control/run-control.js'
import { controlSettings } from '../control/settings.js'
import { environmentOf } from '../environment.js'

export const activate = defineCommand({
  name: 'activate',
  summary: 'has sessions judged by other published documents; an earlier version is the roll-back',
  description: [
    'New sessions are judged by these versions; a kind of document that is not named stays as it is. Sessions that run go on with what',
    'they began with, unless `--running` moves them: each then moves before its next event is judged.',
    'Waits for what every partition makes of it, and fails where one refuses it or tells nothing. Given again it makes good what is left.',
  ],
  operands: {
    name: 'VERSION',
    help: 'a published version, or its first 8 digits or more; one of a kind',
    min: 1,
    max: 3,
  },
  options: {
    running: { type: 'flag', help: 'moves the sessions that run as well' },
    ...controlOptions,
  },
  environment: environmentOf(controlSettings),
  examples: [
    ['3f2a91c4', 'for new sessions'],
    ["3f2a91c4 --running --reason 'leak in the mail tool'", 'an urgent policy, for all sessions'],
    ["a07be1d2 --running --reason 'roll back'", 'the version before it: the roll-back'],
  ],
  run: ({ running, ...values }, operands, context) => {
    assertPrefixes(operands)
    return runControl(values, context, (registry) => ({
      type: 'versions.activated',
      versions: resolveVersions(operands, registry.documents()),
      running,
    }))
  },
})
