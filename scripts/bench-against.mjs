/**
 * `node scripts/bench-against.mjs FOLDER`: what this version costs beside another built checkout of it in FOLDER, as ratios of time (above 1:
 * this one is slower). Both run in one process, by turns, so that a machine with other work slows both; medians of rounds, warm-up left out.
 */
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { prepare, root } from './prepare.mjs'

const WARM_UP = 20
const ROUNDS = 60
const KEY = new Uint8Array(32).fill(7)

const [other] = process.argv.slice(2)
if (other === undefined) {
  process.stderr.write(
    'node scripts/bench-against.mjs FOLDER: a folder with another built checkout is missing\n',
  )
  process.exit(2)
}
await prepare()

const load = (folder, file) => import(pathToFileURL(path.resolve(folder, file)).href)

/** What is measured of the checkout in `folder`: functions that run once, `close` at the end. */
async function measured(folder) {
  const { advance } = await load(folder, 'shared/engine/dist/index.js')
  const { logged } = await load(folder, 'shared/contracts/dist/index.js')
  const { compileRules, createRuleBook, defaultDocuments } = await load(folder, 'shared/policy/dist/index.js')
  const { createObserver } = await load(folder, 'shared/labels/dist/index.js')
  const { createGuard } = await load(folder, 'shared/client/dist/index.js')
  const { sessionEvents } = await load(folder, 'test/dist/bench/sessions.js')
  const { textSteps } = await load(folder, 'test/dist/bench/step-text.js')

  const documents = await defaultDocuments()
  const book = createRuleBook(compileRules(documents))
  const input = logged ? (event) => logged(event, 1_000) : (event) => ({ event, timeMs: 1_000 })
  const sessions = Array.from({ length: 64 }, (_, i) => sessionEvents(`bench-${i}`, 12).map(input))
  const observer = createObserver({ catalogue: documents.catalogue, key: KEY })
  const steps = textSteps(20_261_122, 32)
  const guard = await createGuard()

  async function guardSteps() {
    const session = await guard.startSession({ category: 'other' })
    for (const step of steps) {
      const answer = await session.propose({ tool: step.tool, arguments: step.arguments })
      await session.complete(answer, { result: step.result })
    }
    await session.end()
  }

  return {
    runs: {
      'engine: events': () => {
        for (const events of sessions) {
          let state
          for (const event of events) state = advance(state, event, book).state
        }
      },
      'client: arguments observed': () => steps.forEach((step) => observer.proposed(step)),
      'client: results observed': () =>
        steps.forEach(({ tool, result }) => observer.completed({ tool, result, outcome: 'ok' })),
      'client: a step, proposed, judged and completed': guardSteps,
    },
    close: () => guard.close(),
  }
}

const median = (values) => values.sort((a, b) => a - b)[values.length >> 1]

async function timeOf(run) {
  const start = performance.now()
  await run()
  return performance.now() - start
}

const [here, there] = [await measured(root), await measured(other)]
for (const [name, run] of Object.entries(here.runs)) {
  const against = there.runs[name]
  const ratios = []
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    const first = round % 2 === 0 ? await timeOf(run) : 0
    const second = await timeOf(against)
    const ratio = (first || (await timeOf(run))) / second
    if (round >= 0) ratios.push(ratio)
  }
  process.stdout.write(`${name}: ${median(ratios).toFixed(2)}\n`)
}
await Promise.all([here.close(), there.close()])
