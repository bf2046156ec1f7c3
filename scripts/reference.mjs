/** `npm run reference`: writes the generated pages of docs/reference. */
import { prepare } from './prepare.mjs'
import { runMain } from './run-main.mjs'

await prepare()
await runMain('test/dist/reference/write-pages.js', [])
