/** Compares node_modules with the lock file, by content: times mean little after a checkout. */
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** The workspace that needs everything: if it is linked, everything was installed. */
const wholeMark = 'node_modules/@plimsoll/test'

/**
 * What npm would have to install: `'nothing'`, `'workspace'` or `'all'`.
 * @param {string} root folder of the lock file
 * @param {string | undefined} workspace a folder that has a package.json: what it needs is enough; without it all is needed
 */
export function whatToInstall(root, workspace) {
  const installed = readPackages(root, 'node_modules/.package-lock.json')
  const locked = readPackages(root, 'package-lock.json')
  // A full install stays full: npm would remove what the workspace does not need.
  const stale = workspace === undefined || installed?.[wholeMark] !== undefined ? 'all' : 'workspace'
  if (locked === undefined) return installed === undefined ? 'all' : 'nothing'
  if (installed === undefined) return stale
  const needed = workspace === undefined ? Object.keys(locked) : neededBy(locked, workspace)
  return needed.every((where) => isInstalled(installed[where], locked[where], where)) ? 'nothing' : stale
}

function readPackages(root, file) {
  const full = path.join(root, file)
  return existsSync(full) ? JSON.parse(readFileSync(full, 'utf8')).packages : undefined
}

function isInstalled(installed, { version, link, resolved, optional }, where) {
  if (!where.includes('node_modules/') || (optional && installed === undefined)) return true
  if (installed?.version !== version || installed?.link !== link) return false
  // Of a package of the workspace: its folder. It may have moved.
  return !link || installed.resolved === resolved
}

/** Places in node_modules that a workspace reaches by its dependencies; peers belong to its users. */
function neededBy(locked, workspace) {
  const needed = new Set([workspace])
  for (const where of needed) {
    const { link, resolved, dependencies, devDependencies, optionalDependencies } = locked[where]
    if (link) needed.add(resolved)
    // npm writes down the devDependencies of workspaces alone.
    for (const name of Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies })) {
      const place = resolve(locked, where, name)
      if (place !== undefined) needed.add(place)
    }
  }
  return [...needed]
}

/** As Node does: the nearest node_modules that has it. */
function resolve(locked, from, name) {
  for (let folder = from; ; folder = path.posix.dirname(folder)) {
    const place = path.posix.join(folder, 'node_modules', name)
    if (locked[place] !== undefined) return place
    if (folder === '.') return undefined
  }
}
