/** Runs the tests of clients/python in a virtual environment with the package and, for a framework, its extra. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import path from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { projectRoot } from '../support/paths.js'
import { type Python, obtainPython } from '../support/run/python.js'

const folder = path.join(projectRoot, 'clients/python')

/** Long, since it only bounds a failure. */
const RUN_MS_MAX = 600_000

export interface PythonSuite {
  /** The extra that is installed, as it is named in pyproject.toml. */
  readonly extra?: string
  /** The modules whose types are checked, with all that they import. */
  readonly modules: readonly string[]
  readonly tests: readonly string[]
  /** The framework whose adapter is tested. */
  readonly framework?: string
}

/** What the package needs, and what its tests need. Without an extra the package is not built, only put in the path. */
const NEEDS = ['httpx', 'websockets', 'pytest', 'mypy']

export async function testPython({ extra, modules, tests, framework = '' }: PythonSuite): Promise<void> {
  const built = extra === undefined ? [] : ['--editable', `${folder}[${extra}]`]
  const python = await obtainPython(extra ?? 'client', [...built, ...NEEDS])
  const named = extra ?? 'the package'
  test(`the types of ${named} are sound`, { skip: python.missing }, () =>
    run(python, ['-m', 'mypy', ...modules.flatMap((module) => ['-m', module])]),
  )
  test(`the tests of ${named} pass`, { skip: python.missing }, () =>
    run(python, ['-m', 'pytest', '--quiet', ...tests], { FRAMEWORKS: framework }),
  )
}

async function run({ command }: Python, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const options = {
    cwd: folder,
    timeout: RUN_MS_MAX,
    maxBuffer: 2 ** 26,
    env: { ...process.env, PYTHONPATH: 'src', ...env },
  }
  await promisify(execFile)(command, [...args], options).catch((error: { stdout: string; stderr: string }) =>
    assert.fail(`${error.stdout}\n${error.stderr}`),
  )
}
