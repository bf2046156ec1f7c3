import {
  argumentText,
  createFingerprinter,
  createObserver,
  createTokenScanner,
  findSensitive,
  keyOfRoot,
  readInstructions,
  shippedInstructionModel,
  textOf,
} from '@plimsoll/labels'
import { defaultDocuments } from '@plimsoll/policy'
import { monitorFigures } from './labels-monitor.js'
import { microsOf, quantile, type Report } from '../report.js'
import { textSteps, type TextStep } from './step-text.js'

const STEPS = textSteps(20_261_122, 96)
const WARM_UP_ROUNDS = 25
const ROUNDS = 50
const STRANGER = 'a tool that nothing labels'

/** What a client spends on the text of a step, 2 kB of arguments and 8 kB of result, whole and by its parts; and what a monitor does. */
export async function benchLabels(): Promise<Report> {
  const { catalogue } = await defaultDocuments()
  const key = keyOfRoot('a key of the bench', 'bench-session')
  const observer = createObserver({ catalogue, key })
  const fingerprinter = createFingerprinter(key)
  const model = shippedInstructionModel()
  const scan = createTokenScanner()
  const scanOther = createTokenScanner()
  const whole = spent((step) => {
    observer.proposed(step)
    observer.completed({ tool: step.tool, result: step.result, outcome: 'ok' })
  })
  // The tool of the steps is trusted, so that its results are not read for instructions; a stranger's are.
  const strange = spent((step) => {
    observer.proposed(step)
    observer.completed({ tool: STRANGER, result: step.result, outcome: 'ok' })
  })
  const bare = spent((step) => JSON.stringify(step))
  const parts: Readonly<Record<string, (step: TextStep) => unknown>> = {
    'proposal as observed': (step) => observer.proposed(step),
    'completion as observed': ({ tool, result }) => observer.completed({ tool, result, outcome: 'ok' }),
    'text of both': (step) => [textOf(step.arguments), textOf(step.result)],
    'text and tokens of both': (step) => [scan(textOf(step.arguments)), scanOther(textOf(step.result))],
    'text, tokens, secrets and personal data of both': (step) => [
      sensitive(step.arguments),
      sensitive(step.result),
    ],
    'text, tokens and instruction-like parts of the result': ({ result }) => {
      const text = textOf(result)
      return readInstructions(text, scan(text), model)
    },
    'text, tokens and fingerprints of the proposal': ({ tool, description, arguments: values }) => {
      const given = argumentText(values)
      return fingerprinter.proposal({ tool, description, given, tokens: scan(given.text) })
    },
    'text, tokens and fingerprints of the result': ({ result }) => {
      const text = textOf(result)
      return fingerprinter.result(text, scan(text), [])
    },
  }
  const sensitive = (value: unknown) => {
    const text = textOf(value)
    return findSensitive(text, scan(text))
  }
  return {
    name: 'labels',
    figures: {
      ...figuresOf('a step (proposal and completion)', whole),
      ...figuresOf('the same, its result read for instructions', strange),
      ...figuresOf('JSON.stringify of the same step', bare),
      'a step, times JSON.stringify': ratioOf(whole, bare),
      'the same, its result read for instructions, times JSON.stringify': ratioOf(strange, bare),
      ...(await monitorFigures(observer, STEPS)),
      ...Object.assign({}, ...Object.entries(parts).map(([name, part]) => figuresOf(name, spent(part)))),
    },
  }
}

const ratioOf = (values: readonly number[], bare: readonly number[]): number =>
  Math.round((quantile(values, 0.5) / quantile(bare, 0.5)) * 10) / 10

const figuresOf = (name: string, values: readonly number[]): Readonly<Record<string, number>> => ({
  [`${name}, p50, µs`]: microsOf(quantile(values, 0.5)),
  [`${name}, p99, µs`]: microsOf(quantile(values, 0.99)),
})

/** Milliseconds of each call, warm. */
function spent(part: (step: TextStep) => unknown): number[] {
  const values: number[] = []
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round++)
    for (const step of STEPS) {
      const start = performance.now()
      part(step)
      if (round >= WARM_UP_ROUNDS) values.push(performance.now() - start)
    }
  return values
}
