import { REFINEMENTS } from '@plimsoll/contracts'
import { kafkaSettings, serviceSettings, setting, type ConfigOf } from '@plimsoll/runtime'
import { PROTOCOL_NAMES } from './protocols/index.js'

/** What `plimsoll judge` reads from its environment. */
export const judgeSettings = {
  ...kafkaSettings,
  ...serviceSettings,
  signingKey: setting.text({
    env: 'PLIMSOLL_SIGNING_KEY',
    doc: 'Key of internal events and control changes; without it each of them is refused, and no deadlines are published.',
    expects: 'at least 16 characters',
    pattern: /^.{16,}$/,
    isSecret: true,
    required: true,
  }),
  url: setting.url({
    env: 'PLIMSOLL_JUDGE_URL',
    doc: 'Endpoint of the model that judges unlabelled tools; `/v1` and the path of the protocol are put behind it.',
    protocols: ['https', 'http'],
    required: true,
  }),
  protocol: setting.choice(PROTOCOL_NAMES)({
    env: 'PLIMSOLL_JUDGE_PROTOCOL',
    doc: 'What the endpoint speaks: `openai` (chat completions with a JSON schema) or `anthropic` (messages with a tool).',
    default: 'openai',
  }),
  model: setting.text({
    env: 'PLIMSOLL_JUDGE_MODEL',
    doc: 'Name of the model; events and candidates name it.',
    expects: '1–200 printable characters',
    pattern: /^[\x20-\x7e]{1,200}$/,
    required: true,
  }),
  key: setting.text({
    env: 'PLIMSOLL_JUDGE_KEY',
    doc: 'Key of the endpoint, where it wants one.',
    expects: 'printable characters without spaces',
    pattern: /^[\x21-\x7e]+$/,
    isSecret: true,
  }),
  effect: setting.choice(REFINEMENTS)({
    env: 'PLIMSOLL_JUDGE_TRUST',
    doc: "What an answer does to later steps with its tool: `raise` the policy's stand-in for unlabelled tools, or `replace` it and its verdict.",
    default: 'raise',
  }),
  sharedArguments: setting.list({
    env: 'PLIMSOLL_JUDGE_ARGUMENTS',
    doc: 'Names of the arguments whose values the model may see, with commas between, where events carry arguments; none where it is left out.',
  }),
  timeoutMs: setting.integer({
    env: 'PLIMSOLL_JUDGE_TIMEOUT_MS',
    doc: 'How long one call of the model may take.',
    default: '20000',
    min: 100,
    max: 300_000,
  }),
  concurrencyMax: setting.integer({
    env: 'PLIMSOLL_JUDGE_CONCURRENCY',
    doc: 'Tools that are asked about at a time.',
    default: '2',
    min: 1,
    max: 64,
  }),
  callsPerMinuteMax: setting.integer({
    env: 'PLIMSOLL_JUDGE_CALLS_PER_MINUTE_MAX',
    doc: 'Calls of the model within a minute, repeated ones too; what is over stays unlabelled.',
    default: '30',
    min: 1,
    max: 10_000,
  }),
  callsMax: setting.integer({
    env: 'PLIMSOLL_JUDGE_CALLS_MAX',
    doc: 'Calls of the model until the judge is started again.',
    default: '1000',
    min: 1,
    max: 10_000_000,
  }),
  ageMaxSeconds: setting.integer({
    env: 'PLIMSOLL_JUDGE_AGE_MAX_SECONDS',
    doc: 'Decisions older than that are passed over: their sessions have gone on.',
    default: '900',
    min: 1,
    max: 604_800,
  }),
  group: setting.text({
    env: 'PLIMSOLL_JUDGE_GROUP',
    doc: 'Consumer group of the judges.',
    default: 'plimsoll-judge',
  }),
}

export type JudgeConfig = ConfigOf<typeof judgeSettings>
