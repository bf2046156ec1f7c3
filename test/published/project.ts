import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { withoutSettings } from '../e2e/cli-process.js'
import { projectRoot } from '../support/paths.js'

export interface ProjectOptions {
  /** Where its packages come from. */
  readonly registry: string
  /** The Node that runs everything in it. */
  readonly node: string
  /** Whether npm has nothing cached, as on a new machine. */
  readonly hasEmptyCache?: boolean
}

export interface Output {
  readonly stdout: string
  readonly stderr: string
}

/** A folder outside of this project, with nothing in it but what a reader of the docs would make. */
export interface Project {
  readonly folder: string
  readonly node: string
  readonly env: Readonly<Record<string, string>>
  write(file: string, text: string): Promise<void>
  /** Runs a program, `node` and `npm` too, to its end; rejects with its output if it fails. */
  run(command: string, args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Output>
  install(...packages: readonly string[]): Promise<void>
  /** Errors of types, one a line, of `files` and of all libraries that they import, under `strict` and `more`. */
  typeErrors(files: Readonly<Record<string, string>>, more?: object): Promise<readonly string[]>
  remove(): Promise<void>
}

const RUN_MS_MAX = 300_000

export async function createProject(options: ProjectOptions): Promise<Project> {
  const { node } = options
  const all = await mkdtemp(path.join(tmpdir(), 'plimsoll-project-'))
  const folder = path.join(all, 'project')
  await mkdir(folder)
  const env = environment(options, path.join(all, 'npm'))
  const write: Project['write'] = async (file, text) => {
    const whole = path.join(folder, file)
    await mkdir(path.dirname(whole), { recursive: true })
    await writeFile(whole, text)
  }
  const run: Project['run'] = (command, args, more = {}) =>
    new Promise((resolve, reject) => {
      const options = { cwd: folder, env: { ...env, ...more }, timeout: RUN_MS_MAX, maxBuffer: 2 ** 24 }
      execFile(command, args, options, (error, stdout, stderr) => {
        if (error === null) resolve({ stdout, stderr })
        else
          reject(
            new Error(`\`${command} ${args.join(' ')}\`: ${error.code ?? error.signal}\n${stdout}${stderr}`),
          )
      })
    })
  return {
    folder,
    node,
    env,
    write,
    run,
    install: async (...packages) => {
      await run('npm', ['install', '--loglevel=error', ...packages])
    },
    typeErrors: async (files, more = {}) => {
      for (const [file, text] of Object.entries(files)) await write(file, text)
      const compilerOptions = { ...COMPILER_OPTIONS, ...more }
      await write('tsconfig.json', JSON.stringify({ compilerOptions, files: Object.keys(files) }))
      const tsc = path.join(projectRoot, 'node_modules/typescript/bin/tsc')
      const { stdout } = await run('sh', ['-c', '"$0" "$1" -p . || true', process.execPath, tsc])
      return stdout.split('\n').filter((line) => /^\S/.test(line))
    },
    remove: () => rm(all, { recursive: true, force: true, maxRetries: 5 }),
  }
}

const COMPILER_OPTIONS = {
  strict: true,
  skipLibCheck: false,
  module: 'NodeNext',
  target: 'ES2023',
  types: ['node'],
  noEmit: true,
} as const

/** What a shell of a reader has; `npm test` sets variables for the npm of this project. */
function environment(
  { registry, node, hasEmptyCache = false }: ProjectOptions,
  cache: string,
): Readonly<Record<string, string>> {
  const kept = Object.entries(withoutSettings(process.env)).filter(
    ([name, value]) => value !== undefined && !/^(npm_|INIT_CWD$|NODE_TEST_CONTEXT$)/.test(name),
  )
  return {
    ...(Object.fromEntries(kept) as Record<string, string>),
    PATH: `${path.dirname(node)}${path.delimiter}${process.env.PATH ?? ''}`,
    npm_config_registry: registry,
    npm_config_ignore_scripts: 'true',
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_update_notifier: 'false',
    ...(hasEmptyCache && { npm_config_cache: cache }),
  }
}
