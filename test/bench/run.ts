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
  pipeline: async () => (await import('./pipeline/pipeline.js')).benchPipeline,
  counting: async () => (await import('./engine/counting.js')).benchCounting,
  latency: async () => (await import('./latency.js')).benchLatency,
  enforcement: async () => (await import('./clients/enforcement.js')).benchEnforcement,
  reload: async () => (await import('./pipeline/reload.js')).benchReload,
  shadow: async () => (await import('./pipeline/shadow.js')).benchShadow,
  memory: async () => (await import('./pipeline/memory.js')).benchMemory,
  restart: async () => (await import('./pipeline/restart.js')).benchRestart,
}

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !(name in BENCHES))
if (unknown.length > 0) {
  process.stderr.write(
    `no benchmark \`${unknown.join('`, `')}\`; there are: ${Object.keys(BENCHES).join(', ')}\n`,
  )
  process.exit(2)
}
for (const [name, load] of Object.entries(BENCHES)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  const bench = await load()
  const { figures } = await bench()
  process.stdout.write(`${name}\n`)
  for (const [figure, value] of Object.entries(figures))
    process.stdout.write(`  ${figure}: ${value.toLocaleString('en')}\n`)
}
