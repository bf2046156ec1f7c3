import { benchChains } from './chains.js'
import { benchEngine } from './engine.js'
import { benchGuard } from './guard.js'
import { benchLabels } from './labels.js'
import { benchLatency } from './latency.js'
import { benchMemory } from './memory.js'
import { benchPipeline } from './pipeline.js'
import { benchReload } from './reload.js'
import type { Report } from './report.js'
import { benchRestart } from './restart.js'

/** The benchmarks by name: `npm run bench [name…]` runs those, or all. */
const BENCHES: Readonly<Record<string, () => Promise<Report>>> = {
  engine: benchEngine,
  chains: benchChains,
  guard: benchGuard,
  labels: benchLabels,
  pipeline: benchPipeline,
  latency: benchLatency,
  reload: benchReload,
  memory: benchMemory,
  restart: benchRestart,
}

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !(name in BENCHES))
if (unknown.length > 0) {
  process.stderr.write(
    `no benchmark \`${unknown.join('`, `')}\`; there are: ${Object.keys(BENCHES).join(', ')}\n`,
  )
  process.exit(2)
}
for (const [name, bench] of Object.entries(BENCHES)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  const { figures } = await bench()
  process.stdout.write(`${name}\n`)
  for (const [figure, value] of Object.entries(figures))
    process.stdout.write(`  ${figure}: ${value.toLocaleString('en')}\n`)
}
