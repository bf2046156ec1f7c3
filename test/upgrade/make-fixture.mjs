/**
 * Writes what an earlier version makes of a made-up session: `node test/upgrade/make-fixture.mjs ROOT NAME`, ROOT a built clone of that
 * version. NAME.json is of its engine; NAME.store.json is what its monitor stored of the first half, as if it was killed before it
 * published anything. Run once for a version and kept: today's code must go on reading both.
 */
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'

const [root = '.', name = 'unnamed'] = process.argv.slice(2)
const load = (file) => import(pathToFileURL(path.resolve(root, file)).href)
const { encodeState, step } = await load('shared/engine/dist/index.js')
const { eventSchema, logged, topicsOf, versionOf } = await load('shared/contracts/dist/index.js')
const { compileRules } = await load('shared/policy/dist/index.js')
const { startMonitor } = await load('services/monitor/dist/index.js')
const { noMetrics, silentLogger, topicSpecs } = await load('shared/runtime/dist/index.js')
const { createEmbeddedLog, createEmbeddedStore } = await load('shared/runtime/dist/embedded/index.js')
const { SAMPLE_CATALOGUE, SAMPLE_FLOW_BUNDLE, samplePolicy } = await load('shared/policy/dist/testing.js')

const mail = { tools: ['send_email'] }
const policy = samplePolicy(
  { id: 'no-third-mail', tier: 'blocklist', ...mail, atMost: { times: 2, per: { steps: 20 } } },
  {
    id: 'large-sum',
    tier: 'confirmation',
    tools: ['pay'],
    sum: { of: 'args.amount', max: 100, per: 'session' },
  },
  {
    id: 'log-after',
    tier: 'mustlist',
    ...mail,
    followedBy: { step: { tools: ['write_log'] }, within: { steps: 6 } },
  },
  {
    id: 'four-eyes',
    tier: 'confirmation',
    tools: ['delete_file'],
    approval: { scopes: ['session'], seconds: 600 },
  },
)
const documents = { bundle: SAMPLE_FLOW_BUNDLE, policy, catalogue: SAMPLE_CATALOGUE }
const rules = compileRules(documents)

const DIGEST = 'd'.repeat(64)
const numbers = new Map()
let at = 0
let state
const steps = []
function take(type, members, producer = 'agent') {
  const seq = numbers.get(producer) ?? 0
  numbers.set(producer, seq + 1)
  at += 1000
  const event = { schema: 1, id: `e${at}`, sessionId: 's', producer, seq, time: at, type, ...members }
  const outcome = step(state, logged(eventSchema.parse(event), at), rules)
  state = outcome.state
  steps.push({ at, event, decision: outcome.decision ?? null, record: encodeState(state) })
  return outcome.decision
}
const propose = (tool, callId, members = {}) =>
  take('step.proposed', { tool, callId, argumentsDigest: DIGEST, ...members })
const complete = (tool, callId, members = {}) =>
  take('step.completed', { tool, callId, outcome: 'ok', ...members })
const approve = ({ id, expiresAt, argumentsDigest }, members = {}) => {
  const answer = {
    decisionId: id,
    argumentsDigest,
    expiresAt,
    resolution: 'approved',
    by: 'ada',
    signature: DIGEST,
  }
  take('approval.resolved', { ...answer, ...members }, 'desk')
}

take('session.started', { fingerprints: ['aaaaaaaa', 'wbbbbbbb'], signals: { asksSend: 1, personal: 0.2 } })
propose('read_file', 'c1', { fingerprints: ['pcccccccc'.slice(0, 8)], signals: { complete: 1 } })
complete('read_file', 'c1', {
  labels: { confidentiality: 'sensitive' },
  taint: 'data',
  fingerprints: ['iddddddd', 'aeeeeeee'],
  signals: { personal: 0.5, conductText: 0.5, conductSucceeds: 0.125 },
})
propose('send_email', 'c2', {
  fingerprints: ['aaaaaaaa'],
  signals: { outside: 0, complete: 1, doesSend: 1, conductText: 0.25 },
})
complete('send_email', 'c2')
const removed = propose('delete_file', 'c3', { signals: { complete: 1, outsiders: 1, doesDelete: 1 } })
if (removed?.verdict === 'confirm') approve(removed)
complete('delete_file', 'c3')
propose('write_log', 'c4')
complete('write_log', 'c4')
const paid = propose('pay', 'c5', { arguments: { amount: 120 }, signals: { amount: 0.25, doesPay: 1 } })
if (paid?.verdict === 'confirm') approve(paid)
complete('pay', 'c5')
propose('send_email', 'c6', { signals: { outside: 1, external: 1 } })
propose('send_email', 'c7', { signals: { strangers: 1 } })
propose('unlisted_tool', 'c8')
take('session.ended', {})

const versions = Object.fromEntries(
  Object.entries(documents).map(([kind, document]) => [kind, versionOf(document)]),
)
const write = (file, value) =>
  writeFileSync(new URL(`fixtures/${file}.json`, import.meta.url), `${JSON.stringify(value, undefined, 1)}\n`)
write(name, { documents, versions, steps })
write(`${name}.store`, await storedOf(steps.slice(0, steps.findIndex(isAsked) + 1)))

function isAsked({ decision }) {
  return decision?.verdict === 'confirm'
}

/** What the monitor stores of `taken`, with the append times of the steps. */
async function storedOf(taken) {
  let now = 0
  const clock = { now: () => now }
  const log = createEmbeddedLog({ clock })
  const store = createEmbeddedStore({ clock })
  const topics = topicsOf('plimsoll')
  await log.createTopics(topicSpecs(topics, { partitions: 1 }))
  for (const each of taken) {
    now = each.at
    await log.produce(topics.events, [{ key: 's', value: JSON.stringify(each.event) }])
  }
  const group = 'monitors'
  const monitor = startMonitor({
    log,
    // Outboxes are emptied after the commit, which a killed monitor does not reach.
    store: { ...store, trim: () => Promise.resolve() },
    documents: [documents],
    topics,
    group,
    signingKey: 'k'.repeat(32),
    metrics: noMetrics,
    logger: silentLogger,
    clock,
  })
  await monitor.started
  while ((await log.group(group, topics.events)).offsets.get(0) !== BigInt(taken.length)) await pause(10)
  const ids = ['s', '#0/progress']
  const records = await store.load(ids)
  const meta = await store.readMeta(`log:${topics.events}`)
  await monitor.close()
  await log.close()
  await store.close()
  const stored = ids.map((id, i) => ({ id, body: records[i].body, outbox: records[i].outbox }))
  return { events: taken.length, meta, records: stored }
}
