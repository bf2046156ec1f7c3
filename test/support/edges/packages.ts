import { existsSync, readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import type { PackageFacts, SourceFile } from './check.js'

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}
interface Project {
  readonly references?: readonly { readonly path: string }[]
}

/** Every package of the workspace as it lies on the disk. */
export function readPackages(root: string): readonly PackageFacts[] {
  const grouped = ['shared', 'services', 'lab'].flatMap((group) => subfolders(root, group))
  return [...grouped, 'deploy/dashboards', 'test'].map((folder) => readPackage(root, folder))
}

const subfolders = (root: string, group: string): readonly string[] =>
  readdirSync(path.join(root, group))
    .map((name) => `${group}/${name}`)
    .filter((folder) => existsSync(path.join(root, folder, 'package.json')))

function readPackage(root: string, folder: string): PackageFacts {
  const manifest = readJson(path.join(root, folder, 'package.json')) as Manifest
  const project = readJson(path.join(root, folder, 'tsconfig.json')) as Project
  return {
    folder,
    files: readSources(root, folder === 'test' ? folder : `${folder}/src`),
    dependencies: Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies }),
    peers: Object.keys(manifest.peerDependencies ?? {}),
    references: (project.references ?? []).map((reference) => path.posix.join(folder, reference.path)),
  }
}

const readJson = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'))

function readSources(root: string, folder: string): readonly SourceFile[] {
  return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !/^(?:dist|node_modules)\//.test(file))
    .map((file) => ({ path: `${folder}/${file}`, text: readFileSync(path.join(root, folder, file), 'utf8') }))
}
