import { underNode24 } from './under-node-24.js'

await underNode24(import.meta.filename, async () => {
  const [sdk, { declareSdkSuite }] = await Promise.all([import('ai'), import('./sdk-suite.js')])
  declareSdkSuite({ sdk, specificationVersion: 'v4' })
})
