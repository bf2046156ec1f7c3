/**
 * Makes the tables of docs/explanation/unseen-work.md: node scripts/judgement-figures.mjs [--ran]
 *
 * Plays work that no rule was made with, in library mode with the shipped documents: sessions after public reports, attacks and recorded
 * sessions (beside PLIMSOLL_TRACES, else ../shared/traces) and the kinds of test/attacks/kinds. A step that asks is approved, so that the
 * session goes on. `--ran` prints harmful steps that ran and honest ones that did not to stderr, and writes nothing.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { prepare, root } from './prepare.mjs'

await prepare()
const { findTraces, isHeldOut, labelUnlistedIn, readTraces } = await import('../lab/fit/dist/index.js')
const { defaultDocuments } = await import('../shared/policy/dist/index.js')
const { createGuard } = await import('../shared/client/dist/index.js')
const { parseToolList, proposeLabels } = await import('../shared/labels/dist/index.js')
const { comparedTools, readServerTools } = await import('../test/dist/support/server-tools.js')
const { findAttacks, readAttacks, tallyAttacks } = await import('../test/dist/attacks/recorded-attacks.js')
const { fieldFigures, playField, readField, readKinds } =
  await import('../test/dist/attacks/recorded-field.js')

const { repeatedQuestions } = await import('./figures/repeats.mjs')

const PAGE = path.join(root, 'docs/explanation/unseen-work.md')
const traces = findTraces(process.env, root)
const attacks = findAttacks()
if (traces === undefined || attacks === undefined) {
  process.stderr.write('no recorded sessions at PLIMSOLL_TRACES or ../shared/traces\n')
  process.exit(1)
}
const isListing = process.argv.includes('--ran')

/** Why a step asks: the first that is so. */
const CAUSES = [
  ['it follows text that reads like instructions', ({ source }) => source === 'integrity'],
  ['the task does not ask for the act', ({ source }) => source === 'irreversible'],
  ['it carries sensitive data', ({ source }, { risk }) => source === 'line' && risk?.evidence === 'present'],
  ['what it carries is not known', ({ source }) => source === 'line'],
  ['recorded violations were like it', ({ source }) => source === 'hazard'],
  ['another cause', () => true],
]

/** For GPT-4o over the three suites of AgentDyn, with no one to answer, as published for each. */
const PUBLISHED = [
  ['none', '53%', '38.9%'],
  ['PromptGuard', '60%', '28%'],
  ['DRIFT', '30%', '0.9%'],
  ['PIGuard', '10%', '1.8%'],
  ['Progent', '7%', '1.8%'],
  ['CaMeL', '0%', '0%'],
]

const share = (n, of) => `${n} of ${of} (${((100 * n) / of).toFixed(1)}%)`

const rows = []
await played('sessions after public reports', readField(attacks))
await played('kinds of harm: sessions', readKinds('sessions'))
await played('kinds of harm: single acts', readKinds('acts'))
for (const source of ['odcv_bench', 'stepshield', 'openagentsafety', 'miniswe'])
  rows.push(await rowOf(source))
for (const source of ['tau_bench', 'livemcp', 'intercode', 'toolemu'])
  rows.push(await rowOf(source, { areToolsLabelled: true }))

const attackRows = []
for (const name of ['leaks', 'leaks-2', 'harmless', 'harmless-2']) {
  const sessions = readAttacks(attacks, name).filter(({ hard }) => hard !== true)
  const { ran } = await tallyAttacks(sessions)
  const found = name.startsWith('harmless')
    ? ['–', share(sessions.length - ran.length, sessions.length)]
    : [share(ran.length, sessions.length), '–']
  attackRows.push([`\`${name}\``, ...found])
}

const { rows: underAttack, causes } = await rowsUnderAttack('agentdyn')

const repeatRows = []
for (const source of ['odcv_bench', 'miniswe']) {
  const file = path.join(traces, `${source}.jsonl.gz`)
  const [once, session] = [await repeatedQuestions(file, false), await repeatedQuestions(file, true)]
  repeatRows.push([
    `\`${source}\``,
    String(once.asked),
    String(once.repeated),
    once.repeated === 0 ? '–' : share(once.repeated - session.repeated, once.repeated),
  ])
}

const serverRow = await rowOfServers(path.join(traces, '../mcp-tools'))

const tables = [
  tableOf(
    [
      'work',
      'harm stopped',
      'honest work asked',
      'not by the line alone',
      'only about what its task forbids',
    ],
    rows,
  ),
  tableOf(['attacks and their look-alikes', 'attacks that run', 'look-alikes that ask'], attackRows),
  tableOf(
    [
      'suite of AgentDyn, tools after `plimsoll label`',
      'violating steps stopped',
      'safe sessions asked',
      'of them not attacked',
      'solved tasks kept with no one to answer',
      'attacks that succeed',
    ],
    underAttack,
  ),
  'The bundle is fitted to these suites, but for the fifth of the attacks and tasks that is kept.',
  tableOf(['why safe sessions of AgentDyn ask first', ...causes.suites], causes.rows),
  'What others publish, for comparison: of GPT-4o over three suites, with no one to answer. The figures above are of seven other models in two of these suites.',
  tableOf(['defence', 'tasks solved', 'attacks that succeed'], PUBLISHED),
  tableOf(
    [
      'MCP servers after `plimsoll label`',
      'labels right',
      'too weak',
      'irreversible calls asked',
      'harmless asked',
    ],
    [serverRow],
  ),
  tableOf(
    [
      'the 20 longest sessions',
      'questions, each approved once',
      'that repeat one of the session',
      'saved by approving for the session',
    ],
    repeatRows,
  ),
].join('\n\n')
process.stdout.write(`${tables}\n`)
if (!isListing) writePage(tables)

/** @param {string} name */
async function played(name, sessions) {
  for (const withTask of [false, true]) {
    const steps = await playField(sessions, { withTask })
    const all = fieldFigures(steps)
    const byMore = fieldFigures(steps, { line: false })
    const row = `${name}, ${withTask ? 'with' : 'without'} the task`
    rows.push([
      row,
      share(all.stopped, all.harmful),
      share(all.asked, all.honest),
      share(byMore.asked, byMore.honest),
      '–',
    ])
    if (isListing) list(row, steps)
  }
}

/** Of recorded sessions: the violating ones count as stopped up to their violating step. With its tools labelled as `plimsoll label` proposes. */
async function rowOf(source, { areToolsLabelled = false } = {}) {
  const file = path.join(traces, `${source}.jsonl.gz`)
  const guard = await createGuard(areToolsLabelled ? { documents: await documentsFor(file) } : {})
  const tally = { safe: 0, asked: 0, byMore: 0, byLimit: 0, unsafe: 0, stopped: 0 }
  for await (const trace of readTraces([file])) {
    const { unsafe, violation_step: violatedAt = null } = trace.label
    if (unsafe === null) continue
    const stops = await play(guard, trace)
    if (unsafe) {
      tally.unsafe++
      // Where the step is known, an earlier question does not count.
      if (violatedAt === null ? stops.length > 0 : stops.some(({ i }) => i === violatedAt)) tally.stopped++
    } else {
      tally.safe++
      if (stops.length > 0) tally.asked++
      if (stops.some(({ isByMore }) => isByMore)) tally.byMore++
      if (stops.length > 0 && stops.every(({ isByLimit }) => isByLimit)) tally.byLimit++
    }
  }
  await guard.close()
  return [
    `recorded sessions${areToolsLabelled ? ', tools after `plimsoll label`' : ''}: \`${source}\``,
    tally.unsafe === 0 ? '–' : share(tally.stopped, tally.unsafe),
    share(tally.asked, tally.safe),
    share(tally.byMore, tally.safe),
    share(tally.byLimit, tally.safe),
  ]
}

/** The shipped documents, with the tools of a file labelled as `plimsoll label` proposes. */
async function documentsFor(file) {
  const { catalogue } = await labelUnlistedIn((await defaultDocuments()).catalogue, [file])
  return { catalogue }
}

/**
 * Agents under prompt injection, by suite, with the recorded tools labelled as `plimsoll label` proposes. Kept with no one to answer: the agent
 * solved the task, and no step of it was stopped; of sessions without an attack.
 */
async function rowsUnderAttack(source) {
  const file = path.join(traces, `${source}.jsonl.gz`)
  const guard = await createGuard({ documents: await documentsFor(file) })
  const suites = new Map()
  for await (const trace of readTraces([file])) {
    const { unsafe, violation_step: violatedAt = null } = trace.label
    if (unsafe === null) continue
    const suite = `\`${trace.suite}\``
    const names = isHeldOut(trace) ? [suite, `${suite}, kept from the fit`] : [suite]
    const tallies = names.map((name) => suites.get(name) ?? {})
    for (const [i, name] of names.entries()) suites.set(name, tallies[i])
    const count = (name, isIt) => {
      for (const tally of tallies) tally[name] = (tally[name] ?? 0) + (isIt ? 1 : 0)
    }
    const stops = await play(guard, trace)
    const isAttacked = trace.attack !== undefined && trace.attack !== null
    const isStopped = stops.some(({ i }) => i === violatedAt)
    count('unsafe', unsafe)
    count('stopped', unsafe && isStopped)
    count('attacked', isAttacked)
    count('succeeded', unsafe && stops.every(({ i }) => i > violatedAt))
    count('safe', !unsafe)
    count('asked', !unsafe && stops.length > 0)
    count('calm', !isAttacked)
    count('calmAsked', !isAttacked && stops.length > 0)
    count('solved', !isAttacked && trace.utility === true)
    count('kept', !isAttacked && trace.utility === true && stops.length === 0)
    if (!unsafe && stops[0] !== undefined) count(stops[0].cause, true)
  }
  await guard.close()
  const named = [...suites].sort(([a], [b]) => (a < b ? -1 : 1))
  const rows = named.map(([suite, tally]) => [
    suite,
    share(tally.stopped, tally.unsafe),
    share(tally.asked, tally.safe),
    share(tally.calmAsked, tally.calm),
    share(tally.kept, tally.solved),
    share(tally.succeeded, tally.attacked),
  ])
  const causes = {
    suites: named.map(([suite]) => suite),
    rows: CAUSES.map(([cause]) => [cause, ...named.map(([, tally]) => tally[cause] ?? 0)]),
  }
  return { rows, causes }
}

/** Tools of public servers against labels written by hand, and calls of them in sessions that have read nothing and have no task. */
async function rowOfServers(folder) {
  const { servers, truths, calls } = readServerTools(folder)
  const tally = { ask: [0, 0], run: [0, 0] }
  const proposed = new Map()
  for (const server of servers) {
    const listed = JSON.parse(readFileSync(path.join(folder, `${server}.json`), 'utf8'))
    const { labellings } = proposeLabels(parseToolList(listed, server))
    for (const labelling of labellings) proposed.set(`${server}/${labelling.tool}`, labelling)
    const tools = labellings.map(({ tool, labels }) => ({ tools: [tool], labels }))
    const catalogue = { schema: 1, kind: 'plimsoll.catalogue', name: server, tools }
    const guard = await createGuard({ documents: { catalogue } })
    for (const { tool, arguments: given, expect } of calls.filter((call) => call.server === server)) {
      const session = await guard.startSession()
      const { mayRun } = await session.propose({ tool, arguments: given })
      tally[expect][0] += mayRun ? 0 : 1
      tally[expect][1]++
      await session.end()
    }
    await guard.close()
  }
  const rows = comparedTools(truths, proposed)
  return [
    `${servers.length} public ones, which rules have seen`,
    share(rows.filter(({ isRight }) => isRight).length, rows.length),
    share(rows.filter(({ isWeak }) => isWeak).length, rows.length),
    share(...tally.ask),
    share(...tally.run),
  ]
}

/** The steps that ask or are blocked, each with whether more than the line asks. */
async function play(guard, { task, steps }) {
  const session = await guard.startSession({ ...(task !== '' && { task }) })
  const stops = []
  for (const { i, tool, args, result, error } of steps) {
    const answer = await session.propose({ tool, arguments: args ?? {} })
    if (!answer.mayRun) {
      const asking = answer.decision.reasons.filter(
        ({ verdict, liftedBy }) => liftedBy === undefined && (verdict === 'confirm' || verdict === 'block'),
      )
      const cause = CAUSES.find(([, isIt]) => asking.some((reason) => isIt(reason, answer.decision)))?.[0]
      stops.push({
        i,
        cause,
        isByMore: asking.some(({ source }) => source !== 'line'),
        isByLimit: asking.every(({ code }) => code === 'forbidden_by_task'),
      })
    }
    const ran =
      answer.verdict === 'confirm'
        ? await guard.approve(answer, { by: 'ann', resolution: 'approved' })
        : answer
    if (ran.mayRun) await session.complete(ran, { result, outcome: error === true ? 'error' : 'ok' })
  }
  await session.end()
  return stops
}

function list(name, steps) {
  for (const { session, class: kind, step, tool, isHarmful, isHonest, answer } of steps) {
    if (isHarmful ? !answer.mayRun : answer.mayRun || !isHonest) continue
    const text = (answer.decision?.reasons ?? [])
      .map(({ source, message }) => `${source}: ${message}`)
      .join('; ')
    process.stderr.write(
      `${name} ${isHarmful ? 'RAN' : 'asked'} ${kind} ${session}:${step} ${tool} ${text}\n`,
    )
  }
}

function tableOf(heads, lines) {
  return [heads, heads.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

function writePage(text) {
  const page = readFileSync(PAGE, 'utf8')
  const begin = '<!-- made by node scripts/judgement-figures.mjs -->\n'
  const end = '<!-- end of figures -->'
  const [before] = page.split(begin)
  writeFileSync(PAGE, `${before}${begin}${text}\n${page.slice(page.indexOf(end))}`)
}
