/** `npm run reference`: writes every page of docs/reference that is made from the code. */
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { projectRoot } from '../support/paths.js'
import { generatedPages } from './pages.js'

for (const { file, text } of await generatedPages()) {
  const target = path.join(projectRoot, 'docs/reference', file)
  mkdirSync(path.dirname(target), { recursive: true })
  writeFileSync(target, text)
}
