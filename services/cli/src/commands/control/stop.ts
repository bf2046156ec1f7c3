import { defineCommand, environmentOf } from '../../command.js'
import { controlOptions, controlSettings, runControl } from '../../control/run-control.js'

export const stop = defineCommand({
  name: 'stop',
  summary: 'blocks every step that is proposed from now on, of the fleet or of a tenant',
  description: [
    'Every proposal behind the stop in its partition is blocked, in observe mode too; `plimsoll resume` with the same `--tenant` lifts it.',
    'What was allowed before may still run: a stop is of proposals, not of processes. Steps that agents run without asking are not held.',
    'Waits for the answer of every partition, and fails if one refuses or does not answer. Run it again to complete it.',
  ],
  options: {
    ...controlOptions,
    tenant: { type: 'text', value: 'TENANT', help: 'the sessions of this tenant alone' },
    reason: { type: 'text', value: 'TEXT', help: 'why; agents get it with each block', required: true },
  },
  environment: environmentOf(controlSettings),
  examples: [
    ["--reason 'the mail tool leaks'", 'the whole fleet'],
    ["--tenant acme --reason 'asked by acme'", 'one tenant'],
  ],
  run: ({ tenant, ...values }, _operands, context) =>
    runControl(values, context, () => ({
      type: 'fleet.stopped',
      ...(tenant !== undefined && { tenant }),
    })),
})

export const resume = defineCommand({
  name: 'resume',
  summary: 'lifts a stop, of the fleet or of a tenant',
  description: [
    'Lifts the stop that was made with the same `--tenant`, or without one: a tenant that was stopped by itself stays so when the fleet',
    'resumes. `plimsoll controls` shows the stops. Steps blocked meanwhile do not run: agents propose them again.',
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
