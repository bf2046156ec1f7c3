import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { projectRoot } from '../../support/paths.js'

const run = promisify(execFile)
const BUILDS = path.join(projectRoot, '.cache/ratchet')

/** Whether this clone's history has `commit`: a shallow clone or an archive may not. */
export async function hasCommit(commit: string): Promise<boolean> {
  return run('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: projectRoot }).then(
    () => true,
    () => false,
  )
}

/**
 * The folder of `test/dist` of a commit, built under `.cache/ratchet` with the dependencies of its own lock file; a build that is
 * there is taken. Only the commit wanted is kept. Throws where it does not install or build.
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
  const inBuild = { cwd: unfinished }
  await run('npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts'], inBuild)
  await run(process.execPath, ['node_modules/typescript/bin/tsc', '-b', 'test'], inBuild)
  await rename(unfinished, folder)
  return built
}
