/**
 * `node scripts/fit-default.mjs [folder of recorded sessions]`: fits the model bundles that ship, `default` and `paper60`, and writes them.
 * Without a folder: that at PLIMSOLL_TRACES, else ../shared/traces. After a change of catalogue, detectors,
 * features or fitting; then `npm run reference`, whose samples are judged by them.
 */
import { writeFileSync } from 'node:fs'
import { prepare, root } from './prepare.mjs'

await prepare()
const { bundleText, findTraces, fitShippedBundle, shippedRecordings } =
  await import('../services/trainer/dist/index.js')
const { readDocument, SHIPPED_BUNDLES } = await import('../shared/policy/dist/index.js')
const { versionOf } = await import('../shared/contracts/dist/index.js')

const folder = process.argv[2] ?? findTraces(process.env, root)
if (folder === undefined) {
  process.stderr.write('no recorded sessions at PLIMSOLL_TRACES or ../shared/traces\n')
  process.exit(1)
}
const catalogue = await readDocument('catalogue')
for (const [name, file] of Object.entries(SHIPPED_BUNDLES)) {
  const bundle = await fitShippedBundle(name, shippedRecordings(folder), catalogue)
  const text = bundleText(bundle)
  writeFileSync(file, text)
  process.stdout.write(`${name}: version ${versionOf(bundle)}, ${Math.round(text.length / 1000)} kB\n`)
}
