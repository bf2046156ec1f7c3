/**
 * Coding agents from the registry, against a model on this machine: from an empty home to a blocked deletion, and a push that is asked and
 * approved in a terminal.
 */
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test, type TestContext } from 'node:test'
import { type ScriptedCall, startScriptedModel } from '../../support/models/scripted-model.js'
import { runCli } from '../cli-process.js'
import { PLIMSOLL, servicesAt } from './hook-process.js'

// The hooks start the script that runs.
process.argv[1] = PLIMSOLL

/** A client that runs without a terminal. */
interface RealClient {
  readonly name: string
  readonly package: string
  readonly command: string
  readonly args: readonly string[]
  /** In place of `args`, to go on with the last conversation. */
  readonly again: readonly string[]
  /** Variables, and files in its home, that lead it to the model at `url`. */
  readonly env: (url: string) => Readonly<Record<string, string>>
  readonly files?: (url: string) => Readonly<Record<string, string>>
  readonly shell: (command: string) => ScriptedCall
}

/** Codex asks for neither its own approvals nor a review of the hooks. */
const CODEX = [
  '--skip-git-repo-check',
  '--dangerously-bypass-approvals-and-sandbox',
  '--dangerously-bypass-hook-trust',
]

const CLIENTS: readonly RealClient[] = [
  {
    name: 'claude-code',
    package: '@anthropic-ai/claude-code@2.1.197',
    command: 'claude',
    args: ['--allowedTools', 'Bash', '-p'],
    again: ['--continue', '--allowedTools', 'Bash', '-p'],
    env: (url) => ({
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: 'sk-ant-none',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    }),
    shell: (command) => ({ tool: 'Bash', arguments: { command, description: 'a step' } }),
  },
  {
    name: 'codex',
    package: '@openai/codex@0.171.0',
    command: 'codex',
    args: ['exec', ...CODEX],
    again: ['exec', 'resume', '--last', ...CODEX],
    env: () => ({ MODEL_KEY: 'none' }),
    files: (url) => ({
      '.codex/config.toml': `model = "scripted"
model_provider = "local"
[model_providers.local]
name = "local"
base_url = "${url}/v1"
wire_api = "responses"
env_key = "MODEL_KEY"
`,
    }),
    shell: (command) => ({ tool: 'exec_command', arguments: { cmd: command } }),
  },
  {
    name: 'qwen',
    package: '@qwen-code/qwen-code@0.15.10',
    command: 'qwen',
    args: ['--approval-mode', 'yolo', '-p'],
    again: ['--continue', '--approval-mode', 'yolo', '-p'],
    env: (url) => ({ OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: 'none', OPENAI_MODEL: 'scripted' }),
    files: () => ({ '.qwen/settings.json': '{ "security": { "auth": { "selectedType": "openai" } } }\n' }),
    shell: (command) => ({ tool: 'run_shell_command', arguments: { command, is_background: false } }),
  },
]

let installed = ''

before(async () => {
  installed = await mkdtemp(path.join(tmpdir(), 'plimsoll-clients-'))
  await writeFile(path.join(installed, 'package.json'), '{}')
  const packages = CLIENTS.map((client) => client.package)
  // Claude Code's binary is in a package of its own, which its script only links.
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', ...packages], {
    cwd: installed,
    stdio: 'inherit',
  })
})
after(() => rm(installed, { recursive: true, force: true }))

/** An empty home with a document, and a project that has a remote. */
async function world(context: TestContext) {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'plimsoll-real-')))
  const [home, project, remote] = ['home', 'app', 'remote.git'].map((name) => path.join(folder, name)) as [
    string,
    string,
    string,
  ]
  for (const each of [path.join(home, 'Documents'), project]) await mkdir(each, { recursive: true })
  await writeFile(path.join(home, 'Documents/thesis.txt'), 'the only copy')
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', project, ...args], { encoding: 'utf8', stdio: 'pipe' })
  execFileSync('git', ['init', '-q', '--bare', remote])
  git('init', '-q', '-b', 'main')
  git('remote', 'add', 'origin', remote)
  await writeFile(path.join(project, 'a.ts'), 'import x from "x"\n')
  git('add', '.')
  git('-c', 'user.name=ann', '-c', 'user.email=ann@example.com', 'commit', '-qm', 'first')
  const env = { PATH: process.env['PATH'] ?? '', HOME: home, XDG_STATE_HOME: path.join(home, '.local/state') }
  context.after(async () => {
    for (const pid of servicesAt(home)) process.kill(pid, 'SIGKILL')
    await rm(folder, { recursive: true, force: true })
  })
  return { home, project, env, pushed: () => git('ls-remote', 'origin').trim() }
}

const PUSH = 'git push --force origin main'

for (const client of CLIENTS)
  test(
    `${client.name}: a deletion is stopped, and a push runs once it is approved`,
    { timeout: 300_000 },
    async (context) => {
      const { home, project, env, pushed } = await world(context)
      const startedAt = performance.now()
      const done = await runCli(['hook', 'install', client.name], { env })
      assert.equal(done.code, 0, done.stderr)
      /** Runs the client with a model that makes the calls; returns their results. */
      async function session(
        args: readonly string[],
        prompt: string,
        commands: readonly string[],
      ): Promise<readonly string[]> {
        const model = await startScriptedModel(commands.map(client.shell))
        try {
          for (const [name, text] of Object.entries(client.files?.(model.url) ?? {}))
            await addFile(path.join(home, name), text)
          const output = await run(
            path.join(installed, 'node_modules/.bin', client.command),
            [...args, prompt],
            {
              cwd: project,
              env: { ...env, ...client.env(model.url) },
            },
          )
          assert.equal(model.results().length, commands.length, output)
          return model.results()
        } finally {
          await model.close()
        }
      }
      const commands = ['ls', 'rm -r ~/Documents', PUSH]
      const [listed = '', removed = '', refused = ''] = await session(
        client.args,
        'Remove the unused import in a.ts',
        commands,
      )
      assert.match(listed, /a\.ts/)
      assert.match(removed, /which the task does not/)
      assert.equal(await readFile(path.join(home, 'Documents/thesis.txt'), 'utf8'), 'the only copy')
      assert.match(refused, /which the task does not/)
      assert.equal(pushed(), '')
      context.diagnostic(
        `from an empty folder to a stopped push: ${Math.round(performance.now() - startedAt)} ms`,
      )
      const [, id = ''] = /plimsoll approve '?([^'\\]+)/.exec(refused) ?? []
      assert.notEqual(id, '', refused)
      const approved = await runCli(['approve', id, '--by', 'ann', '--yes'], { env })
      assert.equal(approved.code, 0, approved.stderr)
      const results = await session(client.again, 'Go on', [...commands, PUSH])
      assert.match(pushed(), /refs\/heads\/main/, results.at(-1))
      context.diagnostic(`until the approved push has run: ${Math.round(performance.now() - startedAt)} ms`)
    },
  )

/** Adds the members of a JSON file to those that the installation has written. */
async function addFile(file: string, text: string): Promise<void> {
  const before = await readFile(file, 'utf8').catch(() => undefined)
  await mkdir(path.dirname(file), { recursive: true })
  const isJoined = before !== undefined && file.endsWith('.json')
  await writeFile(file, isJoined ? JSON.stringify({ ...JSON.parse(before), ...JSON.parse(text) }) : text)
}

function run(
  command: string,
  args: readonly string[],
  options: { cwd: string; env: NodeJS.ProcessEnv },
): Promise<string> {
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', () => resolve(output))
  })
}
