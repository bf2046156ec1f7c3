import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  ARGUMENT_READINGS,
  eventSchema,
  type ArgumentReading,
  type CatalogueEntry,
} from '@plimsoll/contracts'
import {
  argumentText,
  createFingerprinter,
  createObserver,
  createTokenScanner,
  findSensitive,
  keyOfRoot,
  labelStep,
  labelTool,
  readInstructions,
  shippedInstructionModel,
  textOf,
} from '@plimsoll/labels'
import { defaultDocuments } from '@plimsoll/policy'
import { HOSTILE_TEXTS, HOSTILE_TOOLS, hostileValues } from './hostile-texts.js'

const UNITS = 12_000
const TIMES_LARGER = 4
/** Four times the text may cost six times as much, plus a constant. */
const RATIO_MAX = 6
const SLACK_MS = 0.5
const RUNS = 4
const ATTEMPTS = 5
/** For the longest text that is read: a guard against gross slowness, not a benchmark. */
const LONGEST_MS_MAX = 400

const { catalogue } = await defaultDocuments()
const key = keyOfRoot('a key of the tests', 'hostile')
const observer = createObserver({ catalogue, key })
const fingerprinter = createFingerprinter(key)
const model = shippedInstructionModel()
const scan = createTokenScanner()

const DETECTORS: Readonly<Record<string, (text: string) => unknown>> = {
  text: (text) => textOf({ [text.slice(0, 100)]: [text] }),
  tokens: (text) => scan(text),
  sensitive: (text) => findSensitive(text, scan(text)),
  instructions: (text) => readInstructions(text, scan(text), model),
  'fingerprints of a task': (text) => fingerprinter.task(text, scan(text)),
  'fingerprints of arguments': (text) => {
    const given = argumentText({ to: text, body: [text] })
    return fingerprinter.proposal({ tool: 'send_email', description: text, given, tokens: scan(given.text) })
  },
  'fingerprints of a result': (text) => fingerprinter.result(text, scan(text), [[0, text.length]]),
  ...Object.fromEntries(ARGUMENT_READINGS.map((as) => [`an argument read as ${as}`, reading(as)])),
  'labels of a tool': (text) => labelTool({ name: text.slice(0, 200), description: text }),
  'a shell command as observed': (text) => observer.proposed({ tool: 'bash', arguments: { command: text } }),
  'a query as observed': (text) =>
    observer.proposed({ tool: 'query', arguments: { sql: text, query: text } }),
  'a path as observed': (text) =>
    observer.proposed({ tool: 'read_file', arguments: { path: text, url: text } }),
  'a result as observed': (text) => observer.completed({ tool: 'get_webpage', result: text, outcome: 'ok' }),
}

function reading(as: ArgumentReading): (text: string) => unknown {
  const entry: CatalogueEntry = {
    tools: ['tool'],
    labels: { capability: 'execute', reversibility: 'irreversible' },
    least: { capability: 'read', reversibility: 'reversible' },
    arguments: [{ in: 'x', as }],
    when: [{ in: 'x', matches: '*a*b*c*', labels: {} }],
  }
  return (text) => labelStep('tool', { x: text }, entry, { domains: ['mail.example'] })
}

for (const [name, detect] of Object.entries(DETECTORS))
  test(`${name}: cost grows at most linearly with the text`, () => {
    const slow: string[] = []
    for (const [kind, make] of Object.entries(HOSTILE_TEXTS)) {
      const reported = nonlinear(detect, make(UNITS), make(UNITS * TIMES_LARGER))
      if (reported) slow.push(`${kind}: ${reported}`)
    }
    assert.deepEqual(slow, [])
  })

/** The problem, if every attempt has it: the minimum of a few runs is the cost of the text, the rest is noise of the machine. */
function nonlinear(detect: (text: string) => unknown, small: string, large: string): string | undefined {
  let reported: string | undefined
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const [few, many] = [cost(detect, small), cost(detect, large)]
    if (many <= few * RATIO_MAX + SLACK_MS && many <= LONGEST_MS_MAX) return undefined
    reported = `${few.toFixed(2)} ms, then ${many.toFixed(2)} ms`
  }
  return reported
}

/** Milliseconds of processor time: on a busy machine wall time would include other processes. */
function cost(detect: (text: string) => unknown, text: string): number {
  let least = Infinity
  for (let run = 0; run < RUNS; run++) {
    const before = process.cpuUsage()
    detect(text)
    const { user, system } = process.cpuUsage(before)
    least = Math.min(least, (user + system) / 1000)
  }
  return least
}

test('the cost check finds a quadratic detector', () => {
  const quadratic = (text: string) => {
    let sum = 0
    for (let i = 0; i < text.length; i += 4) for (let j = 0; j < i; j += 4) sum += j
    return sum
  }
  assert.ok(nonlinear(quadratic, 'a'.repeat(UNITS), 'a'.repeat(UNITS * TIMES_LARGER)))
})

test('the report of any value satisfies the contract', () => {
  const values = { ...hostileValues(), ...texts(3_000) }
  for (const [name, value] of Object.entries(values)) {
    const start = performance.now()
    checkEvents('read_file', { value }, value, name)
    assert.ok(performance.now() - start < 5_000, `${name} took ${performance.now() - start} ms`)
  }
})

test('hostile tool names are handled', () => {
  for (const tool of HOSTILE_TOOLS) {
    observer.proposed({ tool, description: tool, arguments: { [tool.slice(0, 1_000)]: tool } })
    observer.completed({ tool, result: tool, outcome: 'error' })
    labelTool({ name: tool, description: tool })
  }
})

const texts = (units: number): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(HOSTILE_TEXTS).map(([name, make]) => [name, make(units)]))

function checkEvents(
  tool: string,
  args: Readonly<Record<string, unknown>>,
  result: unknown,
  name: string,
): void {
  const base = { schema: 1, sessionId: 's', producer: 'p', time: 0 } as const
  const call = { callId: 'c', tool }
  for (const event of [
    { ...base, id: 'a', seq: 0, type: 'session.started', ...observer.started({ task: textOf(result) }) },
    {
      ...base,
      ...call,
      id: 'b',
      seq: 1,
      type: 'step.proposed',
      argumentsDigest: '0'.repeat(64),
      ...observer.proposed({ tool, arguments: args }),
    },
    {
      ...base,
      ...call,
      id: 'c',
      seq: 2,
      type: 'step.completed',
      outcome: 'ok',
      ...observer.completed({ tool, result, outcome: 'ok' }),
    },
  ]) {
    const { success, error } = eventSchema.safeParse(event)
    assert.ok(success, `${name}, ${event.type}: ${error?.message}`)
  }
}
