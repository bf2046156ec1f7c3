import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type PlimsollClient, createClient, createGuard } from '@plimsoll/client'
import type { Decision } from '@plimsoll/contracts'
import { type Trace, blindOf, foldOf, readToolLists, readTraces } from '@plimsoll/fit'
import { disclosuresOf } from '@plimsoll/policy'
import { readBenchmarkCatalogue } from '../../support/benchmarks.js'
import { DEPLOYMENTS, deploy } from '../../support/sessions/deployment.js'
import { recordingOf } from '../../support/sessions/recording.js'

const { file, missing } = recordingOf('agentdojo.jsonl.gz')
const FOLD = 4
const EVERY = 120

/** Sessions of the fold in which a verdict once depended on the key, at the edge of what counts as evidence by stretches of a long text. */
const AT_THE_EDGE: ReadonlySet<string> = new Set([
  'agentdojo/meta-llama_Llama-3.3-70B-Instruct/workspace/user_task_19/ignore_previous/injection_task_5',
  'agentdojo/meta-llama_Llama-3.3-70B-Instruct/workspace/user_task_19/important_instructions/injection_task_10',
  'agentdojo/meta-llama_Llama-3.3-70B-Instruct/workspace/injection_task_6/none/none',
])

async function sessionsOfFold(): Promise<Trace[]> {
  const chosen: Trace[] = []
  let n = 0
  for await (const trace of readTraces([file]))
    if (foldOf(trace) === FOLD && (AT_THE_EDGE.has(trace.trace_id) || n++ % EVERY === 0)) chosen.push(trace)
  return chosen
}

const catalogue = await readBenchmarkCatalogue()
const traces = missing === false ? await sessionsOfFold() : []
const lists = missing === false ? await readToolLists([file]) : undefined

/** What a decision says, without its ids and times. */
function contentOf({ decision }: { readonly decision?: Decision }): object {
  const { verdict, reasons, risk, callId, argumentsDigest, versions, step } =
    decision ?? assert.fail('no decision')
  return { verdict, reasons, risk, callId, argumentsDigest, versions, step }
}

/** Plays a session as `plimsoll replay` does; returns what each decision says. */
async function play(client: PlimsollClient, trace: Trace): Promise<object[]> {
  const { category, task, tools, steps } = blindOf(trace, lists ?? assert.fail())
  const session = await client.startSession({ id: trace.trace_id, task, category, ...(tools && { tools }) })
  const decided: object[] = []
  for (const [i, { tool, description, args, result, error }] of steps.entries()) {
    const described = description === undefined ? {} : { description }
    const proposed = { tool, ...described, arguments: args, callId: `step-${i}` }
    const answer = await session.propose(proposed, { timeoutMs: 60_000 })
    decided.push(contentOf(answer))
    if (answer.mayRun) await session.complete(answer, { outcome: error ? 'error' : 'ok', result })
  }
  await session.end()
  return decided
}

async function playAll(client: PlimsollClient): Promise<Record<string, object[]>> {
  const played: Record<string, object[]> = {}
  for (const trace of traces) played[trace.trace_id] = await play(client, trace)
  await client.close()
  return played
}

const inProcess = async (fingerprintKey: string) =>
  playAll(await createGuard({ fingerprintKey, documents: { catalogue } }))

for (const [kind, withoutPair] of DEPLOYMENTS)
  test(
    `under one key and the same ids, sessions are decided over the log as in process, ${kind}`,
    { skip: withoutPair || missing },
    async () => {
      const fingerprintKey = 'a key for every way'
      const deployment = await deploy(kind, { documents: { catalogue } })
      try {
        await deployment.startMonitor().started
        const { log, topics, documents } = deployment
        const disclose = disclosuresOf(documents[0].policy)
        const client = await createClient({ log, topics, disclose, fingerprintKey, catalogue })
        assert.deepEqual(await playAll(client), await inProcess(fingerprintKey))
      } finally {
        await deployment.close()
      }
    },
  )

test('under other keys the same is decided', { skip: missing }, async () => {
  const first = await inProcess('key 0')
  const varied = new Set<string>()
  for (let n = 1; n < 16; n++) {
    const other = await inProcess(`key ${n}`)
    for (const [id, decisions] of Object.entries(first))
      for (const [i, decision] of decisions.entries()) {
        const [one, two] = [decision, other[id]?.[i]].map((each) => (each as { verdict: string }).verdict)
        if (one !== two) varied.add(`${id} ${i}`)
      }
  }
  assert.deepEqual([...varied], [])
})
