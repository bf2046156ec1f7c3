import { defineCommand } from '../command.js'
import { within } from '../pipeline/within.js'
import { watchFleet } from '../up/fleet-watch.js'
import { startStack } from '../up/stack.js'

/** Each of the forty scenarios, once. */
const SESSIONS_ONCE = 40

/** A pace that can be read along. */
const LIVE = { concurrency: 4, pauseMs: 600 } as const
const ONCE = { concurrency: 8, pauseMs: 0 } as const

export const up = defineCommand({
  name: 'up',
  summary: 'runs everything in this process, with a live fleet of simulated agents',
  description: [
    'Log, session store, monitor, gateway and metrics on the embedded adapters; your agents may connect with the key that it prints. Simulated agents at the forty tasks of `plimsoll fleet` propose',
    'their steps, obey the verdicts and have simulated humans answer questions. Nothing is kept. Ends on Ctrl-C.',
  ],
  options: {
    once: {
      type: 'flag',
      help: 'plays every scenario once, without pauses, and ends',
    },
    json: { type: 'flag', help: 'one JSON object on stdout at the end, everything else on stderr' },
    gateway: {
      type: 'integer',
      value: 'N',
      help: 'port of the gateway; 0 for any that is free',
      min: 0,
      max: 65_535,
      default: 9465,
    },
    port: {
      type: 'integer',
      value: 'N',
      help: 'port of the metrics; 0 for any that is free',
      min: 0,
      max: 65_535,
      default: 9464,
    },
    seed: {
      type: 'integer',
      value: 'N',
      help: 'what is played, and how',
      min: 0,
      max: 2 ** 32 - 1,
      default: 1,
    },
    sessions: { type: 'integer', value: 'N', help: 'ends after so many sessions', min: 1, max: 1_000_000 },
  },
  examples: [
    ['', 'a fleet to watch, metrics at http://127.0.0.1:9464/metrics'],
    ['--once --json', 'a figure of everything, for a script'],
    ['--port 0 --seed 7 --sessions 20', 'twenty other sessions'],
  ],
  async run({ once, json, gateway, port, seed, sessions }, _, { stdout, stderr, signal }) {
    const shown = json ? stderr : stdout
    const summary = await within(async (onRelease) => {
      const stack = await startStack({ metrics: port, gateway }, stderr, onRelease)
      shown.write(`metrics at ${stack.http.url}/metrics\n`)
      shown.write(`agents at ${stack.gateway.url} with GATEWAY_KEY=${stack.gateway.apiKey}\n`)
      const pace = once ? ONCE : LIVE
      const count = sessions ?? (once ? SESSIONS_ONCE : undefined)
      return watchFleet(stack, { ...pace, seed, sessions: count }, shown, signal)
    })
    stdout.write(json ? `${JSON.stringify(summary.figures)}\n` : summary.text)
    return 0
  },
})
