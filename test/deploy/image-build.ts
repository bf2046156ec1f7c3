import { execFile } from 'node:child_process'
import { chmodSync, cpSync, lstatSync, mkdirSync, readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import dockerignore from '@balena/dockerignore'
import type { Dockerfile, Step } from './dockerfile.js'

const run = promisify(execFile)
// Its types are those of an ES module, which it is not.
const createIgnore = dockerignore as unknown as typeof dockerignore.default

export interface BuildOptions {
  readonly dockerfile: Dockerfile
  /** The folder that COPY takes from, less what its .dockerignore keeps out. */
  readonly context: string
  /** An empty folder; each stage gets one in it that stands for `/`. */
  readonly folder: string
  /** The folder of the programs that come with the base image. */
  readonly programs: string
}

/** Does what `docker build` would do, with the base image's own programs and else those of this machine. Gives the folder that stands for `/` in the image. */
export async function buildImage({ dockerfile, context, folder, programs }: BuildOptions): Promise<string> {
  const roots = new Map<string, string>()
  const admits = admittance(context)
  const env = { ...process.env, PATH: `${programs}${path.delimiter}${process.env.PATH}` }
  let root = folder
  for (const [i, { name = String(i), steps }] of dockerfile.stages.entries()) {
    root = path.join(folder, `stage-${i}`)
    roots.set(name, root)
    let workdir = '/'
    for (const step of steps) {
      if (step.kind === 'WORKDIR') workdir = step.folder
      const at = path.join(root, workdir)
      mkdirSync(at, { recursive: true })
      if (step.kind === 'COPY') copy(step, { at, roots, context, admits })
      if (step.kind === 'RUN')
        await run('sh', ['-c', step.script], { cwd: at, env, maxBuffer: 64 * 1024 * 1024 })
    }
  }
  return root
}

interface Place {
  readonly at: string
  readonly roots: ReadonlyMap<string, string>
  readonly context: string
  readonly admits: (file: string) => boolean
}

function copy(step: Extract<Step, { kind: 'COPY' }>, { at, roots, context, admits }: Place): void {
  const from = step.from === undefined ? context : roots.get(step.from)
  if (from === undefined) throw new Error(`COPY from \`${step.from}\`: no such stage`)
  for (const source of step.sources) {
    const file = path.join(from, source)
    const isFolder = lstatSync(file).isDirectory()
    // A folder's contents go into the target, a file goes into it where it ends in a slash.
    const target = path.join(at, step.target, isFolder ? '' : path.basename(source))
    const filter =
      step.from === undefined ? (each: string) => admits(path.relative(context, each)) : () => true
    cpSync(file, target, { recursive: true, filter, verbatimSymlinks: true })
  }
}

/** Whether a path of the context gets into the image; a folder that is left out may hold something that is let in again. */
function admittance(context: string): (file: string) => boolean {
  const ignore = createIgnore().add(readFileSync(path.join(context, '.dockerignore'), 'utf8'))
  return (file) =>
    lstatSync(path.join(context, file)).isDirectory() ? !isDropped(file) : !ignore.ignores(file)
}

/** Folders that are large and let in nowhere: not walked at all. */
const isDropped = (folder: string): boolean => /(^|\/)(node_modules|dist)$/.test(folder)

/** Takes every right to write away, so that a process of another user finds a read-only file system. */
export function makeReadOnly(folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue
    const file = path.join(entry.parentPath, entry.name)
    chmodSync(file, entry.isDirectory() ? 0o555 : 0o444)
  }
  chmodSync(folder, 0o555)
}
