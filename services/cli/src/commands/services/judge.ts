import { judgeSettings, startJudgeService } from '@plimsoll/judge'
import { checkKafkaSettings, parseConfig } from '@plimsoll/runtime'
import { defineCommand, environmentOf } from '../../command.js'
import { serveUntil } from '../../pipeline/serve-until.js'

export const judge = defineCommand({
  name: 'judge',
  summary: 'asks a model about the tools that no catalogue labels',
  description: [
    'Reads the decisions, asks the configured model about each unlabelled tool in them, and adds the labels to the session by',
    'a signed event. No step waits for it: the policy decides what happens with unlabelled tools. It serves /metrics,',
    '/healthz and /readyz, and on SIGTERM leaves; what it was asking then is asked at its next start.',
  ],
  options: {
    candidates: {
      type: 'text',
      value: 'FILE.yaml',
      help: 'a catalogue to which the answers are added, for you to read and adopt',
    },
  },
  environment: environmentOf(judgeSettings),
  examples: [
    ['', 'lists sessions'],
    ['--candidates candidates.yaml', 'and keeps what it learns'],
  ],
  async run({ candidates }, _operands, { env, stdout, signal }) {
    const prefixes = ['PLIMSOLL_JUDGE_']
    const config = parseConfig(judgeSettings, env, { prefixes, checks: [checkKafkaSettings] })
    const write = (line: string) => stdout.write(line)
    await serveUntil(signal, () => startJudgeService({ config, candidatesFile: candidates, write, signal }))
    return 0
  },
})
