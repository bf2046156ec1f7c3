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
  list,
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
    'Cross-validates: everything is fitted inside each fold. With `--model` it measures a bundle as it is. Scores never use labels, folds, models or ids. What each figure means: docs/explanation/prediction.md.',
  operands: [['[FILE...]', 'more recorded sessions']],
  options: {
    traces: list('FILE', 'recorded sessions'),
    model: text('BUNDLE', 'a bundle to measure: a file, or `default` or `paper60` for a shipped one'),
    folds: choice(
      ['auto', 'none', ...FOLD_KINDS],
      'what fitting must not have seen; auto: attack, and with `--model` none: all sessions at once',
      'auto',
    ),
    group: choice(GROUPINGS, 'within what sessions are ranked', 'suite'),
    without: words('PART', OBSERVER_PARTS, 'with `--model`: what clients do not report of a step'),
    methods: words('NAME', METHODS, 'methods to measure; default: all that the folds allow'),
    target: choice(
      ['both', ...TARGETS],
      'what counts as violated: the recorded truth, what the cascade says, or one beside the other',
      'both',
    ),
    detector: choice(
      DETECTORS,
      'what finds instructions in texts for `flow`: fitted in each fold; to made-up texts once, which is quicker; or what ships',
      'fold',
    ),
    chains: choice(
      ['auto', 'yes', 'no'],
      'describes chains and compares them: their spaces, dimensions and orders; those of the simulated scenarios beside them; auto: where there are five folds at most',
      'auto',
    ),
    judge: integer(
      'N',
      'a model judges steps of N sessions, beside the methods: their texts are sent to the endpoint that the environment names. If it names none, shows only which steps are ambiguous',
      { min: 1, max: 100_000 },
    ),
    judgeSteps: choice(
      JUDGED_STEPS,
      'with `--judge`: the steps that it is asked about; `ambiguous`: those that client and engine leave open',
      'ambiguous',
    ),
    scores: text('OUT.jsonl', 'writes what the bundle says of each step, a line a step'),
    html: text('OUT.html', 'writes a page with the plots'),
    catalogue: catalogueOption,
    policy: text('FILE', 'the policy; that of Plimsoll if left out'),
    json,
  },
  examples: [
    ['--traces agentdojo.jsonl.gz', 'five folds over unseen attacks'],
    ['--traces agentdojo.jsonl.gz --folds both --methods paper60', 'one method, unseen attacks and tasks'],
    ['--traces new.jsonl --model default --scores scores.jsonl', 'the bundle that ships, on any recordings'],
    ['--traces new.jsonl --model default --judge 200', 'beside a model as judge of ambiguous steps'],
  ],
  environment: environmentOf(judgeEndpointSettings),
  async run(values, operands, { env, stdout, stderr, signal }) {
    const files = [...values.traces, ...operands]
    if (files.length === 0) throw new PlimsollError('usage_invalid', '`--traces` is missing')
    const { model, methods, scores, group, detector, target, chains } = values
    if (values.without.length > 0 && model === undefined)
      throw new PlimsollError('usage_invalid', '`--without` is for a bundle: name it with `--model`')
    for (const file of [scores, values.html]) if (file !== undefined) await assertWritable(file)
    const [bundle, policy, catalogue] = await Promise.all([
      readDocument('bundle', model),
      readDocument('policy', values.policy),
      readCatalogue(values.catalogue),
    ])
    const { judge: sessions, judgeSteps: steps } = values
    const judge = sessions === undefined ? undefined : { ...judgeIn(env, signal), sessions, steps }
    if (judge && !judge.model)
      stderr.write('judge: no endpoint is configured, so nothing is asked: PLIMSOLL_JUDGE_URL is missing\n')
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
    throw new PlimsollError('usage_invalid', '`--folds none` fits nothing: name a bundle with `--model`')
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
