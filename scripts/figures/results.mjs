/**
 * Results of runs under .cache/prediction, by the content of all that determines them: the run, its sample, the built code, the documents
 * and models that ship, and the recordings. What has changed is not found, so a page never shows the figures of other code.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { root } from '../prepare.mjs'
import { namesOf } from './markdown.mjs'

const CACHE = path.join(root, '.cache/prediction')
const PACKAGES = [
  ...['comparison', 'contracts', 'engine', 'labels', 'policy', 'runtime'].map((name) => `shared/${name}`),
  'lab/chains',
  'lab/fit',
  'lab/measure',
  'services/fleet',
  'services/cli',
]
/** Folders of a package that hold no code that runs here. */
const LEFT_OUT = new Set(['node_modules', 'src', 'expected', 'samples'])

export function createResults(traces, factor) {
  mkdirSync(CACHE, { recursive: true })
  const shipped = () => hashOf([...PACKAGES.flatMap((name) => filesIn(path.join(root, name))), measureFile])
  const fileOf = (run) => {
    const recordings = [...run.files.map((file) => `${file}.jsonl.gz`), 'tools.json']
    const key = createHash('sha256')
      .update(JSON.stringify([run, factor, shipped()]))
      .update(hashOf(recordings.map((file) => path.join(traces, file)).filter(existsSync)))
    return path.join(CACHE, `${run.name}-${key.digest('hex').slice(0, 16)}.json`)
  }
  return {
    fileOf,
    has: (run) => existsSync(fileOf(run)),
    read: (run) => (existsSync(fileOf(run)) ? JSON.parse(readFileSync(fileOf(run), 'utf8')) : undefined),
    /** When it was measured. */
    at: (run) => statSync(fileOf(run)).mtime,
    forget: (run) => rmSync(fileOf(run), { force: true }),
  }
}

const measureFile = path.join(root, 'scripts/figures/measure.mjs')

function filesIn(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !LEFT_OUT.has(name) && !name.startsWith('.'))
    .flatMap((entry) => {
      const file = path.join(folder, entry.name)
      if (entry.isDirectory()) return filesIn(file)
      return /\.test\.js$|\.tsbuildinfo$|\.map$|\.d\.ts$|\.md$/.test(file) ? [] : [file]
    })
}

/** Names and contents, in order. */
function hashOf(files) {
  const hash = createHash('sha256')
  for (const file of namesOf(files)) hash.update(path.basename(file)).update('\0').update(readFileSync(file))
  return hash.digest('hex')
}
