import { PlimsollError } from '@plimsoll/contracts'
import { defineCommand, environmentOf } from '../../command.js'
import { controlOptions, controlSettings, runControl } from '../../control/run-control.js'

const MODES = ['enforce', 'observe', 'inherit'] as const

export const mode = defineCommand({
  name: 'mode',
  summary: 'whether verdicts are waited for: enforce or observe, for all, a tenant or an agent',
  description: [
    'With `observe` verdicts are made and published, and every step runs. `inherit` takes a setting',
    'back. An agent of a tenant goes before an agent, an agent before a tenant, a tenant before the fleet; the fleet enforces by itself.',
    'A stop holds in either mode.',
  ],
  operands: { name: 'MODE', help: MODES.join(', '), min: 1, max: 1 },
  options: {
    tenant: { type: 'text', value: 'TENANT', help: 'for sessions of this tenant alone' },
    agent: { type: 'text', value: 'AGENT', help: 'for sessions of this agent alone' },
    ...controlOptions,
  },
  environment: environmentOf(controlSettings),
  examples: [
    ['observe', 'the whole fleet is watched and not held up'],
    ["observe --tenant acme --agent mailer --reason 'trial run'", 'one agent of one tenant'],
    ['inherit --tenant acme --agent mailer', 'takes that back'],
  ],
  run: ({ tenant, agent, ...values }, [given], context) => {
    const mode = MODES.find((each) => each === given)
    if (!mode)
      throw new PlimsollError('usage_invalid', `MODE is one of ${MODES.join(', ')}, not \`${given}\``)
    return runControl(values, context, () => ({
      type: 'mode.changed',
      mode,
      ...(tenant !== undefined && { tenant }),
      ...(agent !== undefined && { agent }),
    }))
  },
})
