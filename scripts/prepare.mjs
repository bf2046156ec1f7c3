/**
 * Brings a fresh or a stale clone to where it can run: dependencies, then `tsc -b`. Plain JavaScript without dependencies, for it
 * runs before there are any. Prints to stderr alone: stdout belongs to what runs afterwards.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../', import.meta.url))
const oldestNode = [20, 19]

/**
 * Installs what is missing and builds `projects`, all of them if none is named. Ends the process with a clear line if it cannot.
 * @param {readonly string[]} projects folders that have a tsconfig.json
 */
export async function prepare(projects = []) {
  try {
    assertNode()
    if (isInstallStale()) await install()
    await step('the build', process.execPath, [
      inRoot('node_modules/typescript/bin/tsc'),
      '-b',
      ...projects.map(inRoot),
    ])
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

/** Compares what npm says it has installed with what the lock file asks for; their times tell little after a checkout. */
function isInstallStale() {
  const installed = readPackages('node_modules/.package-lock.json')
  const locked = readPackages('package-lock.json')
  if (installed === undefined || locked === undefined) return installed === undefined
  return Object.entries(locked).some(([where, { version, link, optional }]) => {
    if (!where.includes('node_modules/') || (optional && installed[where] === undefined)) return false
    return installed[where]?.version !== version || installed[where]?.link !== link
  })
}

function readPackages(file) {
  return existsSync(inRoot(file)) ? JSON.parse(readFileSync(inRoot(file), 'utf8')).packages : undefined
}

async function install() {
  const command = existsSync(inRoot('package-lock.json')) ? 'ci' : 'install'
  process.stderr.write(`plimsoll: npm ${command}\n`)
  const flags = ['--no-audit', '--no-fund', '--loglevel=error']
  await step(`npm ${command}`, ...npm(command, ...flags))
}

/** Under npm, the npm that runs us, which need not be the one on the PATH. */
function npm(...args) {
  const running = process.env.npm_execpath
  if (running !== undefined && path.basename(running) === 'npm-cli.js')
    return [process.execPath, [running, ...args]]
  return ['npm', args]
}

async function step(what, command, args) {
  const child = spawn(command, args, { cwd: root, stdio: ['ignore', 2, 2] })
  const [code, signal] = await once(child, 'exit')
  if (code !== 0) throw new Error(`${what} failed (${signal ?? `exit ${code}`})`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await prepare(process.argv.slice(2))
