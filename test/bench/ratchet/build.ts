import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm, symlink } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { projectRoot } from '../../support/paths.js'

const run = promisify(execFile)
const BUILDS = path.join(projectRoot, '.cache/ratchet')
/** Whose packages are the build's own; the others are those of this clone. */
const OWN_SCOPE = '@plimsoll'

/** Whether this clone's history has `commit`: a shallow clone or an archive may not. */
export async function hasCommit(commit: string): Promise<boolean> {
  return run('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: projectRoot }).then(
    () => true,
    () => false,
  )
}

/**
 * The folder of `test/dist` of a commit, built under `.cache/ratchet` with the dependencies of this clone; a build that is there is
 * taken. Only the commit wanted is kept. Throws where it does not build.
 */
export async function buildOf(commit: string): Promise<string> {
  const folder = path.join(BUILDS, commit)
  const built = path.join(folder, 'test/dist')
  if (existsSync(folder)) return built
  await rm(BUILDS, { recursive: true, force: true })
  const unfinished = path.join(BUILDS, 'unfinished')
  await mkdir(unfinished, { recursive: true })
  const archive = path.join(BUILDS, 'source.tar')
  await run('git', ['archive', '--output', archive, commit], { cwd: projectRoot })
  await run('tar', ['-xf', archive, '-C', unfinished])
  await rm(archive)
  await linkDependencies('.', unfinished)
  for (const parent of ['services', 'shared', 'lab'])
    for (const name of await readdir(path.join(projectRoot, parent)))
      await linkDependencies(path.join(parent, name), unfinished)
  await run(process.execPath, [path.join(projectRoot, 'node_modules/typescript/bin/tsc'), '-b', 'test'], {
    cwd: unfinished,
  })
  await rename(unfinished, folder)
  return built
}

/** Links what a package of this clone has under node_modules into the same place of `build`; links to own packages lead to those of the build. */
async function linkDependencies(part: string, build: string): Promise<void> {
  const from = path.join(projectRoot, part, 'node_modules')
  const to = path.join(build, part, 'node_modules')
  if (!existsSync(from) || !existsSync(path.join(build, part))) return
  await mkdir(to, { recursive: true })
  for (const name of await readdir(from)) {
    if (name !== OWN_SCOPE) await symlink(path.join(from, name), path.join(to, name))
    else await run('cp', ['-a', path.join(from, name), path.join(to, name)])
  }
}
