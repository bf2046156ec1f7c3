import { availableParallelism } from 'node:os'
import { PlimsollError } from '@plimsoll/contracts'
import { JUDGE_LIMITS, createAsker, judgeSettings } from '@plimsoll/judge'
import { OBSERVER_PARTS } from '@plimsoll/labels'
import { readCatalogue, readDocument } from '@plimsoll/policy'
import { parseConfig } from '@plimsoll/runtime'
import {
  type FoldKind,
  type JudgeOptions,
  DETECTORS,
  FOLD_KINDS,
  GROUPINGS,
  JUDGED_STEPS,
  METHODS,
  TARGETS,
  evaluateFiles,
  evaluationPage,
} from '@plimsoll/measure'
import { type ReadProgress, writeWhole } from '@plimsoll/fit'
import { assertWritable } from '../../assert-writable.js'
import {
  type Output,
  catalogueOption,
  defineCommand,
  environmentOf,
  choice,
  integer,
  json,
  text,
  words,
  tracesOption,
} from '../../command.js'
import { evalReport } from './eval-report.js'
import { playScenarios, scenarioChains } from './scenario-chains.js'
import { createProgress } from '../../format/progress.js'
import { jsonLine } from '../../format/text.js'

const { url, protocol, model, key, callsMax } = judgeSettings

/** Of the settings of `plimsoll judge` those that name a model, and bound its calls. */
const judgeEndpointSettings = { url, protocol, model, key, callsMax }

/** The model that the environment names, and the most calls of it; no model where it names none. */
function judgeIn(
  env: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
): Pick<JudgeOptions, 'model' | 'callsMax'> {
  if (!env[url.env]) return { model: undefined, callsMax: 0 }
  const config = parseConfig(judgeEndpointSettings, env, { prefixes: [] })
  const ask = createAsker({ ...config, key: config.key, timeoutMs: JUDGE_LIMITS.timeoutMs, signal })
  return {
    callsMax: config.callsMax,
    model: {
      name: config.model,
      ask: async (request) => {
        const { calls, tokens, ...asked } = await ask(request)
        return { value: asked.kind === 'answer' ? asked.value : undefined, calls, tokens }
      },
    },
  }
}

export const evaluation = defineCommand({
  name: 'eval',
  summary: 'measures prediction accuracy on recorded sessions',
  description:
    'Splits the sessions into folds, fits on all folds but one, and scores that one. With `--model` it fits nothing and measures a bundle. Scores use only what a client reports: no recorded outcome, fold, model or id. docs/explanation/prediction.md explains each figure.',
  operands: [['[FILE...]', 'more recorded sessions']],
  options: {
    traces: tracesOption,
    model: text('BUNDLE', 'a bundle to measure: a file, or `default` or `paper60` for a shipped one'),
    folds: choice(
      ['auto', 'none', ...FOLD_KINDS],
      'how sessions are split: by what the training folds do not contain. `none` scores all sessions at once and needs `--model`. `auto`: `attack`, or `none` with `--model`',
      'auto',
    ),
    group: choice(GROUPINGS, 'the groups in which sessions are ranked against each other', 'suite'),
    without: words('PART', OBSERVER_PARTS, 'with `--model`: parts of a step that clients do not report'),
    methods: words('NAME', METHODS, 'methods to measure; default: all that these folds can measure'),
    target: choice(
      ['both', ...TARGETS],
      'what counts as a violation: the recorded outcome (`observed`), the risk level `violated` (`modelled`), or both in turn',
      'both',
    ),
    detector: choice(
      DETECTORS,
      'how `flow` detects instructions in texts: a model fitted in each fold, a model fitted once to generated texts (quicker), or the shipped model',
      'fold',
    ),
    chains: choice(
      ['auto', 'yes', 'no'],
      'describes the Markov chains and compares their states and orders, also on the simulated scenarios. `auto`: with five folds or fewer',
      'auto',
    ),
    judge: integer(
      'N',
      'compares the methods with a model that judges steps of N sessions. Sends their texts to the endpoint in PLIMSOLL_JUDGE_URL; without it, counts the ambiguous steps only',
      { min: 1, max: 100_000 },
    ),
    judgeSteps: choice(
      JUDGED_STEPS,
      'with `--judge`: which steps the model judges. `ambiguous`: steps that client and engine cannot decide',
      'ambiguous',
    ),
    scores: text('OUT.jsonl', 'writes the scores of the bundle, one line for each step'),
    html: text('OUT.html', 'writes an HTML page with plots'),
    catalogue: catalogueOption,
    policy: text('FILE', 'the policy; default: the shipped one'),
    json,
  },
  examples: [
    ['--traces agentdojo.jsonl.gz', 'five folds; each is tested on attacks that the others lack'],
    [
      '--traces agentdojo.jsonl.gz --folds both --methods paper60',
      'one method, tested on unseen attacks and tasks',
    ],
    ['--traces new.jsonl --model default --scores scores.jsonl', 'the shipped bundle, on your recordings'],
    [
      '--traces new.jsonl --model default --judge 200',
      'the same, compared with a model that judges ambiguous steps',
    ],
  ],
  environment: environmentOf(judgeEndpointSettings),
  async run(values, operands, { env, stdout, stderr, signal }) {
    const files = [...values.traces, ...operands]
    if (files.length === 0)
      throw new PlimsollError('usage_invalid', 'there are no recorded sessions: name files with `--traces`')
    const { model, methods, scores, group, detector, target, chains } = values
    if (values.without.length > 0 && model === undefined)
      throw new PlimsollError('usage_invalid', '`--without` needs `--model`')
    for (const file of [scores, values.html]) if (file !== undefined) await assertWritable(file)
    const [bundle, policy, catalogue] = await Promise.all([
      readDocument('bundle', model),
      readDocument('policy', values.policy),
      readCatalogue(values.catalogue),
    ])
    const { judge: sessions, judgeSteps: steps } = values
    const judge = sessions === undefined ? undefined : { ...judgeIn(env, signal), sessions, steps }
    if (judge && !judge.model)
      stderr.write('judge: no model is asked, because PLIMSOLL_JUDGE_URL is not set\n')
    const progress = followEval(stderr)
    const documents = { bundle, policy, catalogue }
    const targets = target === 'both' ? TARGETS : [target]
    const evaluated = await evaluateFiles({
      files,
      documents,
      isModel: model !== undefined,
      without: values.without,
      folds: foldsFrom(values),
      group,
      detector,
      isChains: chains === 'auto' ? undefined : chains === 'yes',
      judge,
      targets,
      workers: Math.min(WORKERS_MAX, availableParallelism()),
      ...(methods.length > 0 && { methods }),
      ...(scores !== undefined && { scores }),
      ...progress.hooks,
    })
    progress.end()
    const simulated =
      evaluated.chains.length > 0 ? scenarioChains(await playScenarios(documents), targets) : []
    const result = { ...evaluated, chains: [...evaluated.chains, ...simulated] }
    if (values.html !== undefined) await writeWhole(values.html, evaluationPage(result, evalReport(result)))
    stdout.write(values.json ? jsonLine(result) : evalReport(result))
    return 0
  },
})

/** Each holds the recordings and their features. */
const WORKERS_MAX = 4

interface FoldOptions {
  readonly folds: FoldKind | 'auto' | 'none'
  readonly model: string | undefined
}

function foldsFrom({ folds, model }: FoldOptions): FoldKind | undefined {
  if (folds === 'auto') return model === undefined ? 'attack' : undefined
  if (folds !== 'none') return folds
  if (model === undefined)
    throw new PlimsollError('usage_invalid', '`--folds none` needs `--model`: it fits nothing')
  return undefined
}

/** Reading is about a fifth of the work. */
const READ_SHARE = 0.2

function followEval(stderr: Output) {
  const bar = createProgress(stderr, 'eval')
  const onRead = ({ bytesRead, bytesTotal, traces }: ReadProgress): void =>
    bar.update(bytesTotal > 0 ? READ_SHARE * (bytesRead / bytesTotal) : undefined, `${traces} sessions`)
  const onProgress = (share: number, note: string): void =>
    bar.update(READ_SHARE + (1 - READ_SHARE) * share, note)
  return { hooks: { onRead, onProgress }, end: () => bar.end() }
}
