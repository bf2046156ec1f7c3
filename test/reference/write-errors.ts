/** Writes docs/reference/errors.md from the catalogue. */
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { projectRoot } from '../support/paths.js'
import { errorsPage } from './errors-page.js'

const file = path.join(projectRoot, 'docs/reference/errors.md')
mkdirSync(path.dirname(file), { recursive: true })
writeFileSync(file, errorsPage())
