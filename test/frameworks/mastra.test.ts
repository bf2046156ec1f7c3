import { underNode24 } from './under-node-24.js'

await underNode24(import.meta.filename, async () => {
  const { declareMastraSuite } = await import('./mastra-suite.js')
  declareMastraSuite()
})
