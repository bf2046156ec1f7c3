import { parseArgs } from 'node:util'
import { runLong, writePage } from './page.js'
import { RATCHETS, type RatchetName, checkRatchet, writeRatchet } from './ratchet/ratchet.js'
import type { Report } from './report.js'

type Bench = () => Promise<Report>

/**
 * The benchmarks by name: `npm run bench [name…]` runs those, or all. Each is loaded when its turn comes: what else has been loaded moves
 * the figures of text by a third.
 */
const BENCHES: Readonly<Record<string, () => Promise<Bench>>> = {
  engine: async () => (await import('./engine/engine.js')).benchEngine,
  policy: async () => (await import('./engine/policy.js')).benchPolicy,
  verify: async () => (await import('./engine/verify.js')).benchVerify,
  chains: async () => (await import('./engine/chains.js')).benchChains,
  fit: async () => (await import('./engine/fit.js')).benchFit,
  'fit-flow': async () => (await import('./engine/fit.js')).benchFitFlow,
  labels: async () => (await import('./engine/labels.js')).benchLabels,
  guard: async () => (await import('./clients/guard.js')).benchGuard,
  frameworks: async () => (await import('./clients/frameworks.js')).benchFrameworks,
  mcp: async () => (await import('./clients/mcp.js')).benchMcp,
  hook: async () => (await import('./clients/hook.js')).benchHook,
  pipeline: async () => (await import('./pipeline/pipeline.js')).benchPipeline,
  counting: async () => (await import('./engine/counting.js')).benchCounting,
  latency: async () => (await import('./latency.js')).benchLatency,
  enforcement: async () => (await import('./clients/enforcement.js')).benchEnforcement,
  reload: async () => (await import('./pipeline/reload.js')).benchReload,
  shadow: async () => (await import('./pipeline/shadow.js')).benchShadow,
  memory: async () => (await import('./pipeline/memory.js')).benchMemory,
  restart: async () => (await import('./pipeline/restart.js')).benchRestart,
  console: async () => (await import('./pipeline/console.js')).benchConsole,
}

const { values, positionals } = readArguments()
if (values.check || values.baseline) await runRatchet(positionals)
else await runBenches(positionals, values.page ?? false)

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        baseline: { type: 'boolean' },
        check: { type: 'boolean' },
        page: { type: 'boolean' },
        reason: { type: 'string' },
      },
    })
  } catch (error) {
    return fail(
      `${(error as Error).message}; there are \`--check\`, \`--baseline --reason "…"\` and \`--page\``,
    )
  }
}

/** `--check [short|pipeline]` compares with the baseline, `--baseline [short|pipeline] --reason "…"` writes it. */
async function runRatchet([name = 'short', ...others]: string[]): Promise<void> {
  if (!Object.hasOwn(RATCHETS, name) || others.length > 0)
    fail(
      `the ratchet measures \`${Object.keys(RATCHETS).join('` or `')}\`, not \`${[name, ...others].join(' ')}\``,
    )
  const ratchet = name as RatchetName
  const { reason } = values
  if (values.baseline)
    await (reason ? writeRatchet(ratchet, reason) : fail('say why the baseline changes: `--reason "…"`'))
  else if (!(await checkRatchet(ratchet))) process.exit(1)
}

/** Runs the benchmarks named, or all; `isLong`: long enough for the page of figures, which is written. */
async function runBenches(wanted: readonly string[], isLong: boolean): Promise<void> {
  const unknown = wanted.filter((name) => !Object.hasOwn(BENCHES, name))
  if (unknown.length > 0)
    fail(`no benchmark \`${unknown.join('`, `')}\`; there are: ${Object.keys(BENCHES).join(', ')}`)
  const reports: Report[] = []
  for (const [name, load] of Object.entries(BENCHES)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue
    const bench = await load()
    const report = isLong ? await runLong(bench) : await bench()
    reports.push(report)
    process.stdout.write(`${name}\n`)
    for (const [figure, value] of Object.entries(report.figures))
      process.stdout.write(`  ${figure}: ${value.toLocaleString('en')}\n`)
  }
  if (isLong) process.stdout.write(`written to ${await writePage(reports)}\n`)
}

function fail(message: string): never {
  process.stderr.write(`${message}\n`)
  process.exit(2)
}
