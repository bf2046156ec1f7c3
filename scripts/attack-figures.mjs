/**
 * Prints the table of attacks of docs/guides/secure.md: node scripts/attack-figures.mjs
 *
 * Plays each session of `leaks.jsonl` and `harmless.jsonl` in the folder `attacks` beside the recorded sessions (at PLIMSOLL_TRACES, else
 * ../shared/traces) in library mode with the shipped documents. Which attacks ran by themselves goes to stderr.
 */
import { prepare } from './prepare.mjs'

await prepare()
const { findAttacks, readAttacks, tableOf, tallyAttacks } =
  await import('../test/dist/attacks/recorded-attacks.js')

const folder = findAttacks()
if (folder === undefined) {
  process.stderr.write('no attacks beside PLIMSOLL_TRACES or ../shared/traces\n')
  process.exit(1)
}
const leaks = readAttacks(folder, 'leaks')
const { classes, ran } = await tallyAttacks([...leaks, ...readAttacks(folder, 'harmless')])
process.stdout.write('| class | sessions | run | approval | blocked |\n|---|---|---|---|---|\n')
process.stdout.write(`${tableOf(classes).join('\n')}\n`)
for (const id of ran) if (leaks.some((leak) => leak.id === id)) process.stderr.write(`ran by itself: ${id}\n`)
