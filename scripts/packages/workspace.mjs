/** What the manifests of the workspace say. */
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { root } from '../prepare.mjs'

export const readManifest = (folder) =>
  JSON.parse(readFileSync(path.join(root, folder, 'package.json'), 'utf8'))

/** A folder that was a package once may still have built files. */
const folders = ['shared', 'services', 'lab']
  .flatMap((group) => readdirSync(path.join(root, group)).map((name) => `${group}/${name}`))
  .filter((folder) => existsSync(path.join(root, folder, 'package.json')))

/** Manifests by folder. */
export const manifests = new Map(folders.map((folder) => [folder, readManifest(folder)]))

export function workspaceFolder(name) {
  const [folder] = [...manifests].find(([, manifest]) => manifest.name === name) ?? []
  if (folder === undefined) throw new Error(`no package \`${name}\` in the workspace`)
  return folder
}

/** `exports` of a package of the workspace: `{ '.': { types, default } }`. */
export const exportsOf = (folder) => manifests.get(folder).exports

/** The package of a specifier: `yaml`, `@plimsoll/client`. */
export const packageOf = (specifier) =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')

/** The range of a library that the workspace asks for; fails where two packages ask for different ones. */
export function rangeOf(library) {
  const ranges = new Set(
    [...manifests.values()].flatMap(
      ({ dependencies, optionalDependencies }) =>
        ({ ...dependencies, ...optionalDependencies })[library] ?? [],
    ),
  )
  if (ranges.size !== 1)
    throw new Error(
      `\`${library}\` has ${ranges.size || 'no'} ranges in the workspace: ${[...ranges].join(', ')}`,
    )
  return [...ranges][0]
}

/** Whether the workspace does without `library` where it cannot be installed. */
export const isOptional = (library) =>
  ![...manifests.values()].some(({ dependencies = {} }) => dependencies[library] !== undefined)
