/**
 * Brings a fresh or a stale clone to where it can run: dependencies, `tsc -b`, then the page of the console. Plain JavaScript without
 * dependencies, for it runs before there are any. Prints to stderr alone: stdout belongs to what runs afterwards.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildPage } from '../services/console/web/build.mjs'
import { whatToInstall } from './installed.mjs'

export const root = fileURLToPath(new URL('../', import.meta.url))
const oldestNode = [20, 19]

/**
 * Installs what is missing and builds `projects`, all of them if none is named. Ends the process with a clear line if it cannot.
 * @param {readonly string[]} projects folders that have a tsconfig.json
 * @param {string} [workspace] no more is installed than this folder's package needs; else everything is
 */
export async function prepare(projects = [], workspace) {
  await orEnd(async () => {
    await install(workspace)
    await step('the build', process.execPath, [
      inRoot('node_modules/typescript/bin/tsc'),
      '-b',
      ...projects.map(inRoot),
    ])
    if (projects.length === 0 || projects.some((project) => withPage.has(project))) await buildPage()
  })
}

/** Projects that serve the page of the console or test it. */
const withPage = new Set(['services/cli', 'services/console', 'test'])

async function orEnd(work) {
  try {
    assertNode()
    await work()
  } catch (error) {
    process.stderr.write(`plimsoll: ${error.message}\n`)
    process.exit(1)
  }
}

const inRoot = (file) => path.join(root, file)

function assertNode() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  const [oldestMajor, oldestMinor] = oldestNode
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return
  throw new Error(`Node ${oldestNode.join('.')} or later is needed, this is ${process.versions.node}`)
}

async function install(workspace) {
  const missing = whatToInstall(root, workspace)
  if (missing === 'nothing') return
  const command = existsSync(inRoot('package-lock.json')) ? 'ci' : 'install'
  // npm takes the optional peers of a package for needed, and those of the client are whole frameworks.
  const part = missing === 'workspace' ? ['--workspace', workspace, '--omit=peer'] : []
  const line = ['npm', command, ...part].join(' ')
  process.stderr.write(`plimsoll: ${line}\n`)
  await step(line, ...npm(command, ...part, '--no-audit', '--no-fund', '--loglevel=error'))
}

/** Under npm, the npm that runs us, which need not be the one on the PATH. */
export function npm(...args) {
  const running = process.env.npm_execpath
  if (running !== undefined && path.basename(running) === 'npm-cli.js')
    return [process.execPath, [running, ...args]]
  return ['npm', args]
}

async function step(what, command, args) {
  const child = spawn(command, args, { cwd: root, stdio: ['ignore', 2, 2] })
  const end = (signal) => child.kill(signal)
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, end)
  const [code, signal] = await once(child, 'exit')
  for (const each of ['SIGINT', 'SIGTERM']) process.off(each, end)
  if (code !== 0) throw new Error(`${what} failed (${signal ?? `exit ${code}`})`)
}

// By itself: `[--no-build] [project…]`.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const args = process.argv.slice(2)
  await (args[0] === '--no-build' ? orEnd(() => install()) : prepare(args))
}
