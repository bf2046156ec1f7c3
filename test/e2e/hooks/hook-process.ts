import { execFileSync, spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type HookSettings, hookProgram } from '@plimsoll/hooks'
import { projectRoot } from '../../support/paths.js'

export const PROGRAM = fileURLToPath(hookProgram)
export const PLIMSOLL = path.join(projectRoot, 'services/cli/bin/plimsoll.js')

export interface Ran {
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: number | null
}

/** Runs the program of a hook as a client does. `input`: an event, or a text in its place. */
export function runProgram(file: string, input: object | string, event?: string): Promise<Ran> {
  const child = spawn(process.execPath, [PROGRAM, file, ...(event === undefined ? [] : [event])])
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  child.stdin.on('error', () => {})
  child.stdin.end(typeof input === 'string' ? input : JSON.stringify(input))
  return new Promise((resolve) => child.on('close', (exitCode) => resolve({ stdout, stderr, exitCode })))
}

/** A folder with settings of a hook; the service that it starts ends with the test. */
export async function hookFolder(context: TestContext, given: Partial<HookSettings> = {}) {
  const folder = await mkdtemp(path.join(tmpdir(), 'plimsoll-hook-'))
  const state = path.join(folder, 'hooks')
  const socket = path.join(state, 's.sock')
  const settings: HookSettings = {
    schema: 1,
    kind: 'plimsoll.hook',
    client: 'claude-code',
    node: process.execPath,
    script: PLIMSOLL,
    options: ['--socket', socket],
    socket,
    log: path.join(state, 'service.log'),
    failOpen: false,
    ...given,
  }
  const file = path.join(folder, 'settings.json')
  await writeFile(file, JSON.stringify(settings))
  const before = process.env['PLIMSOLL_STATE_DIR']
  process.env['PLIMSOLL_STATE_DIR'] = folder
  context.after(async () => {
    for (const pid of servicesAt(socket)) process.kill(pid, 'SIGKILL')
    if (before === undefined) delete process.env['PLIMSOLL_STATE_DIR']
    else process.env['PLIMSOLL_STATE_DIR'] = before
    await rm(folder, { recursive: true, force: true })
  })
  return { folder, state, socket, file, settings }
}

/** The processes that serve hooks at the socket. */
export function servicesAt(socket: string): readonly number[] {
  try {
    return execFileSync('pgrep', ['-f', `hook serve .*${socket}`], { encoding: 'utf8' })
      .trim()
      .split('\n')
      .map(Number)
  } catch {
    return []
  }
}

let calls = 0

/** Events of Claude Code. */
export const claude = {
  prompt: (prompt: string, session_id = 's-1') => ({
    session_id,
    cwd: '/srv/app',
    hook_event_name: 'UserPromptSubmit',
    prompt,
  }),
  before: (command: string, more: object = {}) => ({
    session_id: 's-1',
    cwd: '/srv/app',
    hook_event_name: 'PreToolUse',
    permission_mode: 'default',
    tool_name: 'Bash',
    tool_input: { command },
    tool_use_id: `call-${calls++}`,
    ...more,
  }),
  after: <T extends object>(event: T, text: string) => ({
    ...event,
    hook_event_name: 'PostToolUse',
    tool_response: { stdout: text },
  }),
}

/** What Claude Code was answered: `ask`, `deny`, or undefined if the call runs. */
export function decisionOf({ stdout }: Ran): string | undefined {
  if (stdout === '') return undefined
  const { hookSpecificOutput } = JSON.parse(stdout) as {
    hookSpecificOutput?: { permissionDecision?: string }
  }
  return hookSpecificOutput?.permissionDecision
}
