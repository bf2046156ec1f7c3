import { randomBytes } from 'node:crypto'
import { PlimsollError } from '@plimsoll/contracts'
import { monitorSettings } from '@plimsoll/monitor'
import { createLogger } from '@plimsoll/runtime'
import { defineCommand } from '../command.js'
import { environmentOf } from '../environment.js'
import { whenRunning } from '../pipeline/own-monitor.js'
import { within } from '../pipeline/within.js'
import { reportText } from '../replay/replay-report.js'
import { runReplay } from '../replay/run-replay.js'
import { openEmbedded, openKafka } from '../replay/transport.js'

export const replay = defineCommand({
  name: 'replay',
  summary: 'plays recorded sessions through the real pipeline and counts the verdicts',
  description: [
    'Each recorded session becomes a session of its own: client, log, monitor, store, decisions. Every step is proposed; what would',
    'be stopped is counted, and the recorded agent goes on.',
  ],
  operands: { name: 'FILE', help: 'more recorded sessions', min: 0, max: 1000 },
  options: {
    traces: { type: 'list', value: 'FILE', help: 'recorded sessions' },
    via: {
      type: 'choice',
      choices: ['embedded', 'kafka'],
      help: 'in this process, or over Kafka and Redis',
      default: 'embedded',
    },
    json: { type: 'flag', help: 'one JSON object on stdout, everything else on stderr' },
    limit: { type: 'integer', value: 'N', help: 'plays so many sessions at most', min: 1, max: 100_000_000 },
    fold: { type: 'integer', value: 'N', help: 'plays the sessions of this fold alone', min: 0, max: 4 },
    'category-from': {
      type: 'choice',
      choices: ['hint', 'none'],
      help: 'the category that a session declares',
      default: 'hint',
    },
    concurrency: { type: 'integer', value: 'N', help: 'sessions at a time', min: 1, max: 5000, default: 64 },
    run: {
      type: 'text',
      value: 'NAME',
      help: 'what session ids begin with; another in each run if left out',
    },
    'no-monitor': {
      type: 'flag',
      help: 'with `--via kafka`: leaves the deciding to the monitors that run already',
    },
  },
  environment: environmentOf(monitorSettings),
  examples: [
    ['--traces sessions.jsonl.gz --limit 100', 'a hundred sessions, in this process'],
    [
      '--traces sessions.jsonl.gz --fold 4 --via kafka --json',
      'fold 4 over Kafka and Redis, with a monitor of its own',
    ],
  ],
  async run(values, operands, { env, stdout, stderr, signal }) {
    const files = [...values.traces, ...operands]
    if (files.length === 0) throw new PlimsollError('usage_invalid', '`--traces` is missing')
    const { via, fold, limit, concurrency, run = `replay-${randomBytes(4).toString('hex')}` } = values
    const hasCategory = values['category-from'] === 'hint'
    const logger = createLogger({ level: 'warn', write: (line) => stderr.write(line) })
    const figures = await within(async (onRelease) => {
      const open =
        via === 'kafka'
          ? openKafka(env, !values['no-monitor'], logger, onRelease)
          : openEmbedded(logger, onRelease)
      const transport = await open
      if (transport.own) await whenRunning(transport.own, signal)
      return runReplay({ files, fold, limit, run, hasCategory, concurrency }, transport, stderr, signal)
    })
    stdout.write(values.json ? `${JSON.stringify({ run, via, ...figures })}\n` : reportText(figures))
    if (signal.aborted) stderr.write('interrupted: these are not all sessions\n')
    return figures.unanswered > 0 || signal.aborted ? 1 : 0
  },
})
