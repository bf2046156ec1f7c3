import { randomBytes } from 'node:crypto'
import { CATEGORIES, SCENARIOS } from '@plimsoll/fleet'
import { checkKafkaSettings, parseConfig } from '@plimsoll/runtime'
import { defineCommand } from '../command.js'
import { environmentOf } from '../environment.js'
import { fleetText } from '../fleet/fleet-text.js'
import { runLoad } from '../fleet/run-load.js'
import { fleetSettings } from '../fleet/settings.js'
import { parseTenants } from '../fleet/tenants.js'

export const fleet = defineCommand({
  name: 'fleet',
  summary: 'plays simulated agents over Kafka: a demonstration, and load',
  description: [
    'Forty made-up tasks, ten a category, played by seeded agents that propose each step to the monitors on this Kafka and obey the',
    'verdicts. Synthetic: made after the description in the SafetyDrift paper, not its data; nothing about real agents follows from it.',
    '`--rate` is steps a second over all sessions, each due at a fixed time whatever became of the earlier ones; latency counts from',
    'then, so that what is held up shows. Where sessions are too few to keep up, steps start late, which is counted.',
    'Questions are answered by simulated humans where PLIMSOLL_SIGNING_KEY is set; now and then nobody is there, and the session goes on',
    'without the step. Ends after `--sessions`, or on Ctrl-C, with the summary so far.',
  ],
  options: {
    sessions: { type: 'integer', value: 'N', help: 'ends after so many sessions', min: 1, max: 100_000_000 },
    rate: {
      type: 'integer',
      value: 'N',
      help: 'steps a second; as fast as answers come if left out',
      min: 1,
      max: 1_000_000,
    },
    seed: {
      type: 'integer',
      value: 'N',
      help: 'what is played, and how',
      min: 0,
      max: 2 ** 32 - 1,
      default: 1,
    },
    concurrency: { type: 'integer', value: 'N', help: 'sessions at a time', min: 1, max: 5000, default: 64 },
    tenants: { type: 'text', value: 'A,B', help: 'tenants that the sessions are of; none if left out' },
    agents: {
      type: 'integer',
      value: 'N',
      help: 'names of agents that the tasks are divided among',
      min: 1,
      max: 1000,
      default: 8,
    },
    category: {
      type: 'choice',
      choices: ['all', ...CATEGORIES],
      help: 'the tasks of this category alone',
      default: 'all',
    },
    observe: { type: 'flag', help: 'agents wait for their verdicts and go on whatever they are' },
    'no-reviews': { type: 'flag', help: 'leaves questions to you: agents go on without those steps' },
    timeout: { type: 'duration', help: 'how long a step waits for its verdict', default: '2s' },
    run: {
      type: 'text',
      value: 'NAME',
      help: 'what session ids begin with; another in each run if left out',
    },
    json: { type: 'flag', help: 'one JSON object on stdout at the end, everything else on stderr' },
  },
  environment: environmentOf(fleetSettings),
  examples: [
    ['--rate 20', 'a fleet to watch in Grafana, until Ctrl-C'],
    ['--sessions 1000 --rate 500 --concurrency 500 --json', 'a load test: 500 steps a second'],
    ['--tenants acme,globex --agents 20 --rate 10', 'two tenants, twenty agents'],
    ['--sessions 400 --observe', 'what happens where nobody obeys'],
  ],
  async run(values, _, { env, stdout, stderr, signal }) {
    const { sessions, rate, seed, concurrency, agents, category, observe, timeout, json } = values
    const config = parseConfig(fleetSettings, env, { prefixes: [], checks: [checkKafkaSettings] })
    const { run = `fleet-${randomBytes(4).toString('hex')}` } = values
    const plan = {
      run,
      seed,
      sessions,
      rate,
      concurrency,
      agents,
      scenarios: SCENARIOS.filter((each) => category === 'all' || each.category === category),
      tenants: parseTenants(values.tenants),
      obeys: !observe,
      hasReviews: !values['no-reviews'],
      timeoutMs: timeout,
    }
    const figures = await runLoad(plan, config, stderr, signal)
    stdout.write(json ? `${JSON.stringify({ run, seed, ...figures })}\n` : fleetText(figures, rate))
    // Without a number of sessions being interrupted is how it ends.
    const isCutShort = signal.aborted && sessions !== undefined
    if (isCutShort) stderr.write('interrupted: these are not all sessions\n')
    return isCutShort ? 1 : 0
  },
})
