import { type Reason, type Versions, PlimsollError } from '@plimsoll/contracts'
import type { Contribution, Rules, StepEffect } from '@plimsoll/engine'
import { readTimeline } from '@plimsoll/operations'
import { compileRules, readCatalogue, readDocument } from '@plimsoll/policy'
import { kafkaSettings } from '@plimsoll/runtime'
import { type Recording, evaluationObserver, labelUnlisted, readRecordings } from '@plimsoll/fit'
import {
  type Context,
  catalogueOption,
  defineCommand,
  duration,
  environmentOf,
  integer,
  json,
  text,
} from '../../command.js'
import { configOf, openLog, within } from '../../deployment.js'
import { jsonLine, leftTable, percent, plainText } from '../../format/text.js'
import { pinnedRules } from '../operate/sessions.js'
import { reasonText } from '../operate/timeline-text.js'
import { type DecidedEvent, type ExplainedStep, explainLogged, explainRecorded } from './explain-steps.js'

const DAY_MS = 86_400_000

export const explain = defineCommand({
  name: 'explain',
  summary:
    'shows why each step of a session was decided as it was, and the features that weigh in its scores',
  description:
    'Of a session in the log, or of a recorded one with `--trace`. Each effect of a step is shown as the session knows it: act, kind of object, reach, whether the task names the object or the session made it, and the reason that is about it. A weight is the change of the log-odds, before calibration, if the feature were 0. Trees interact, so weights do not add up to a score. `p1` is the hazard of the step, `session` the score of the session after it, `conduct` that of what it does itself. With `--trace` the words of a step follow that weigh in its conduct. Tools of a recording that no catalogue lists are labelled by name and description, as `eval` does.',
  operands: [['[SESSION_ID]', 'the id of the session; with `--trace` its `trace_id`, by default the first']],
  options: {
    trace: text('FILE', 'recorded sessions; without it the log is read'),
    model: text('BUNDLE', 'with `--trace`: the bundle to decide by; the shipped one if left out'),
    policy: text('FILE', 'with `--trace`: the policy; that of Plimsoll if left out'),
    catalogue: catalogueOption,
    since: duration('without `--trace`: how far back the log is read; default 24h'),
    top: integer('N', 'shows so many features of a score', { min: 1, max: 1000, default: 5 }),
    json,
  },
  environment: environmentOf(kafkaSettings),
  examples: [
    ['s-1', 'a session of the log'],
    ['--trace sessions.jsonl.gz run-7', 'a recorded session'],
  ],
  async run({ trace, model, policy, catalogue, since, top, json }, [id], context) {
    if (trace === undefined && (model !== undefined || policy !== undefined || catalogue.length > 0))
      throw new PlimsollError('usage_invalid', '`--model`, `--policy` and `--catalogue` need `--trace`')
    if (trace !== undefined && since !== undefined)
      throw new PlimsollError('usage_invalid', 'omit `--since`: `--trace` does without')
    const steps =
      trace === undefined
        ? await explainFromLog(id, since ?? DAY_MS, context)
        : await explainFromFile(trace, id, {
            bundle: await readDocument('bundle', model),
            policy: await readDocument('policy', policy),
            catalogue: await readCatalogue(catalogue),
          })
    context.stdout.write(json ? jsonLine(steps) : stepsText(steps, top))
    return 0
  },
})

async function explainFromFile(
  file: string,
  id: string | undefined,
  documents: Parameters<typeof compileRules>[0],
): Promise<ExplainedStep[]> {
  const recording = await findRecording(file, id)
  const { catalogue } = labelUnlisted(documents.catalogue, [recording])
  return explainRecorded(
    recording.blind,
    compileRules({ ...documents, catalogue }),
    evaluationObserver(catalogue),
  )
}

async function findRecording(file: string, id: string | undefined): Promise<Recording> {
  for await (const recording of readRecordings([file]))
    if (id === undefined || recording.about.traceId === id) return recording
  const which = id === undefined ? 'no session' : `no session \`${id}\``
  throw new PlimsollError('traces_invalid', `there is ${which} in \`${file}\``)
}

async function explainFromLog(
  id: string | undefined,
  backMs: number,
  { env, signal }: Pick<Context, 'env' | 'signal'>,
): Promise<ExplainedStep[]> {
  if (id === undefined)
    throw new PlimsollError('usage_invalid', 'name a session of the log, or a file with `--trace`')
  return within(async (onRelease) => {
    const { log, topics } = openLog(configOf(kafkaSettings, env), onRelease)
    await log.ping()
    const fromMs = Date.now() - backMs
    const timeline = await readTimeline({ log, topics, sessionId: id, fromMs, signal })
    if (!timeline.isWhole)
      throw new PlimsollError(
        'session_state_lost',
        `the log has no start of session \`${id}\` in this time: \`--since 7d\` looks further back`,
      )
    const events = timeline.entries.flatMap(({ event, timeMs, decisions }): DecidedEvent[] =>
      event ? [{ event, timeMs, decisions }] : [],
    )
    const pins = pinsIn(events)
    if (!pins) return []
    const rules: Rules | undefined = await pinnedRules(log, topics.registry, pins, signal)
    if (rules) return explainLogged(events, rules)
    throw new PlimsollError(
      'session_state_lost',
      `the documents of session \`${id}\` are neither registered nor those that ship`,
    )
  })
}

/** The documents that decided the latest step; undefined if none was decided. */
function pinsIn(events: readonly DecidedEvent[]): Versions | undefined {
  const versions = events.flatMap(({ decisions }) => decisions.flatMap((decision) => decision.versions ?? []))
  const latest = versions.at(-1)
  return latest && { bundle: latest.bundle, policy: latest.policy, catalogue: latest.catalogue }
}

function stepsText(steps: readonly ExplainedStep[], top: number): string {
  if (steps.length === 0) return 'no step was decided\n'
  return steps.map((step, n) => stepText(step, n + 1, top)).join('\n')
}

function stepText(
  { tool, verdict, reasons, effects = [], risk, weights, words }: ExplainedStep,
  n: number,
  top: number,
): string {
  const scores = risk
    ? [`p1 ${percent(risk.hazard)}, P(${risk.horizon}) ${percent(risk.probability)}, ${risk.level}`]
    : []
  const lines = [
    `${n}. ${tool}: ${[verdict, ...scores].join('; ')}`,
    ...reasons.map((reason) => `   ${reasonText(reason)}`),
  ]
  const rows = weights
    ? [
        ...rowsOf('p1', weights.hazard, top),
        ...rowsOf('session', weights.session, top),
        ...rowsOf('conduct', weights.conduct, top),
      ]
    : []
  const table = rows.length > 0 ? leftTable([['score', 'feature', 'value', 'weight'], ...rows], '   ') : ''
  const said = words.length > 0 ? `${plainText(`   words: ${wordsText(words.slice(0, top))}`)}\n` : ''
  return `${lines.map((line) => `${plainText(line)}\n`).join('')}${effectsTable(effects, reasons)}${table}${said}`
}

const TO_TASK: Readonly<Record<StepEffect['relation'], string>> = {
  own: 'own: its loss is none',
  named: 'named by the task',
  unnamed: 'not named by the task',
  other: 'beside what the task names in a list',
  unknown: 'not known',
}

/** What the step does to what, and which reason is about it; empty if it reports nothing. */
function effectsTable(effects: readonly StepEffect[], reasons: readonly Reason[]): string {
  if (effects.length === 0) return ''
  const rows = effects.map(({ act, object, reach, relation, incomplete, byName }, i) => [
    String(i + 1),
    act,
    object ?? 'not known',
    reach ?? 'not known',
    `${TO_TASK[relation]}${byName ? ', which its name asks for' : ''}`,
    incomplete ? 'incomplete: perhaps more' : 'understood',
    reasons.find(({ effect }) => effect?.at === i)?.effect?.why.replace('_', ' ') ?? '',
  ])
  return leftTable(
    [['effect', 'act', 'object', 'reach', 'to the task', 'certainty', 'reason'], ...rows],
    '   ',
  )
}

const wordsText = (words: ExplainedStep['words']): string =>
  words.map(([word, odds]) => `${word} ${signed(odds)}`).join(', ')

const signed = (weight: number): string => `${weight > 0 ? '+' : ''}${weight.toFixed(2)}`

const rowsOf = (score: string, contributions: readonly Contribution[], top: number): string[][] =>
  contributions
    .slice(0, top)
    .map(({ name, value, weight }) => [score, name, String(Number(value.toPrecision(3))), signed(weight)])
