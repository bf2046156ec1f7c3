/**
 * `node scripts/fit-categories.mjs [--evaluate] [file of recorded sessions …]`: fits the model of tasks' categories that ships and writes it.
 * `--evaluate` writes nothing but how it does on tasks that it does not know, as tables in Markdown. Without files: all that
 * lie at PLIMSOLL_TRACES, else at ../shared/traces.
 */
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { prepare, root } from './prepare.mjs'

const FILES = ['agentdojo', 'openagentsafety', 'tau_bench', 'intercode']

await prepare()
const trainer = await import('../services/trainer/dist/index.js')
const { SHIPPED_CATEGORY_MODEL } = await import('../shared/labels/dist/index.js')

const flags = process.argv.slice(2).filter((given) => given.startsWith('--'))
const named = process.argv.slice(2).filter((given) => !given.startsWith('--'))
const folder = trainer.findTraces(process.env, root)
if (named.length === 0 && folder === undefined) {
  process.stderr.write('no recorded sessions at PLIMSOLL_TRACES or ../shared/traces\n')
  process.exit(1)
}
const files = named.length > 0 ? named : FILES.map((name) => path.join(folder ?? '', `${name}.jsonl.gz`))
if (flags.includes('--evaluate')) {
  const { samples, parts } = await trainer.categoryHoldOuts(files)
  const share = (n, of) => `${((100 * n) / of).toFixed(1)}%`
  for (const [title, partOf] of Object.entries(parts)) {
    const rows = trainer.holdOutCategories(samples, partOf)
    process.stdout.write(`\n| ${title}: held out | tasks | found | wrong |\n|---|---|---|---|\n`)
    for (const { held, tasks, found, wrong } of rows)
      process.stdout.write(`| ${held} | ${tasks} | ${share(found, tasks)} | ${share(wrong, tasks)} |\n`)
    const mean = (of) =>
      share(
        rows.reduce((sum, row) => sum + row[of] / row.tasks, 0),
        rows.length,
      )
    process.stdout.write(`| mean | | ${mean('found')} | ${mean('wrong')} |\n`)
  }
} else {
  const model = await trainer.fitShippedCategories(files)
  const text = `${JSON.stringify(model)}\n`
  writeFileSync(SHIPPED_CATEGORY_MODEL, text)
  process.stdout.write(`${model.kinds.length} kinds of work, ${text.length} bytes\n`)
}
