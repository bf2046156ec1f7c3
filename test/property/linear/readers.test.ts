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
import { assertLinear, nonlinear, repeated } from './growth.js'
import { HOSTILE_TEXTS, HOSTILE_TOOLS, hostileValues } from './hostile-texts.js'

const UNITS = 1_500

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
  'a result as observed': (text) =>
    observer.completed({ tool: 'fetch_webpage', result: text, outcome: 'ok' }),
  'a script as it is read': (text) =>
    observer.completed({ tool: 'bash', result: text, reads: ['a.sh', 'a.py', 'Makefile', 'package.json'] }),
  'a command that may print a script': (text) =>
    observer.proposed({ tool: 'bash', arguments: { command: `cat a.sh ${text}`, path: text } }),
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
  test(`${name}: steps grow at most linearly with the text`, () => assertLinear(detect, HOSTILE_TEXTS, UNITS))

test('the check finds a quadratic detector', () => {
  const quadratic = (text: string) => {
    let sum = 0
    for (let i = 0; i < text.length; i += 4) for (let j = 0; j < i; j += 4) sum += j
    return sum
  }
  assert.match(nonlinear(quadratic, repeated('a'), UNITS) ?? '', /then \d+ steps/)
  assert.match(nonlinear((text) => /a+b/.test(text), repeated('a'), UNITS / 8) ?? '', /then \d+ steps/)
})

test('the report of any value satisfies the contract', () => {
  const values = { ...hostileValues(), ...texts(3_000) }
  for (const [name, value] of Object.entries(values)) {
    checkEvents('read_file', { value }, value, name)
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
