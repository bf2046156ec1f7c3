import { after } from 'node:test'
import { publishPackages } from './packages.js'
import { testInstalled, testTarballs } from './suite.js'

const published = await publishPackages()
after(() => published.remove())
testTarballs(published)
testInstalled(published, `Node ${process.versions.node}`, process.execPath)
