/** `npm run bench`: the measurements. Arguments go to test/bench/run.ts. */
import { prepare } from './prepare.mjs'
import { runMain } from './run-main.mjs'

const args = process.argv.slice(2)
await prepare()
await runMain('test/dist/bench/run.js', args)
