/** `npm test`: the tests, with `--all` the long ones too. Arguments go to test/run.ts. */
import { prepare } from './prepare.mjs'
import { runMain } from './run-main.mjs'

const args = process.argv.slice(2)
await prepare()
await runMain('test/dist/run.js', args)
