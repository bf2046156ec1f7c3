import { defineCommand, environmentOf } from '../command.js'
import { controlOptions } from '../control/options.js'
import { controlSettings, runControl } from '../control/run-control.js'

export const resume = defineCommand({
  name: 'resume',
  summary: 'lifts a stop, of the fleet or of a tenant',
  description: [
    'Lifts the stop that was made with the same `--tenant`, or without one: a tenant that was stopped by itself stays so when the fleet',
    'resumes. `plimsoll controls` tells which stops stand. What was blocked meanwhile is not run: agents propose it again.',
  ],
  options: {
    ...controlOptions,
    tenant: { type: 'text', value: 'TENANT', help: 'the stop of this tenant' },
  },
  environment: environmentOf(controlSettings),
  examples: [
    ["--reason 'mended'", 'the stop of the fleet'],
    ['--tenant acme', 'the stop of one tenant'],
  ],
  run: ({ tenant, ...values }, _operands, context) =>
    runControl(values, context, () => ({
      type: 'fleet.resumed',
      ...(tenant !== undefined && { tenant }),
    })),
})
