/**
 * `node scripts/fit-instructions.mjs [file of recorded sessions …]`: fits the model of instruction-like text that ships and writes it.
 * Without files: those of FILES at PLIMSOLL_TRACES, else at ../shared/traces.
 */
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { prepare, root } from './prepare.mjs'

/** Those whose ordinary results are known to hold no instruction. */
const FILES = ['agentdojo', 'intercode', 'tau_bench']

await prepare()
const { findTraces, fitShippedInstructions } = await import('../services/trainer/dist/index.js')
const { SHIPPED_INSTRUCTION_MODEL } = await import('../shared/labels/dist/index.js')

const folder = findTraces(process.env, root)
const named = process.argv.slice(2)
if (named.length === 0 && folder === undefined) {
  process.stderr.write('no recorded sessions at PLIMSOLL_TRACES or ../shared/traces\n')
  process.exit(1)
}
const files = named.length > 0 ? named : FILES.map((name) => path.join(folder ?? '', `${name}.jsonl.gz`))
const model = await fitShippedInstructions(files)
writeFileSync(SHIPPED_INSTRUCTION_MODEL, `${JSON.stringify(model)}\n`)
process.stdout.write(`threshold ${model.threshold}\n`)
