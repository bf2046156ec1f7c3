import { spawn, spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { type HookSettings, buildOf, findHookClient, hookProgram } from '@plimsoll/hooks'
import { build } from 'esbuild'
import { projectRoot } from '../../support/paths.js'
import { quantile, type Report } from '../report.js'

const WARM_UP = 20
const CALLS = 150
const SCRIPT = path.join(projectRoot, 'services/cli/bin/plimsoll.js')

/**
 * A hook of Claude Code: the whole process, bundled as in the package, beside a process of Node that does nothing, by turns; and a request to
 * the service alone, over its socket.
 */
export async function benchHook(): Promise<Report> {
  const folder = await mkdtemp(path.join(tmpdir(), 'plimsoll-bench-hook-'))
  const program = path.join(folder, 'hook.mjs')
  await build({
    entryPoints: [fileURLToPath(hookProgram)],
    outfile: program,
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    logLevel: 'error',
  })
  const socket = path.join(folder, 'hooks', 's.sock')
  const service = { node: process.execPath, script: SCRIPT, options: ['--socket', socket], socket }
  const log = path.join(folder, 'hooks', 'log')
  const settings: HookSettings = {
    schema: 1,
    kind: 'plimsoll.hook',
    client: 'claude-code',
    ...service,
    log,
    failOpen: false,
  }
  const file = path.join(folder, 'settings.json')
  await writeFile(file, JSON.stringify(settings))
  const env = { ...process.env, PLIMSOLL_STATE_DIR: folder }
  const served = spawn(service.node, [service.script, 'hook', 'serve', ...service.options], {
    env,
    stdio: 'ignore',
  })
  try {
    const timed = (args: readonly string[], input: string) => {
      const startedAt = performance.now()
      const { status, stderr } = spawnSync(process.execPath, args, { input, env, encoding: 'utf8' })
      if (status !== 0) throw new Error(stderr)
      return performance.now() - startedAt
    }
    const [nothing, before, after]: [number[], number[], number[]] = [[], [], []]
    for (let i = -WARM_UP; i < CALLS; i++) {
      const times = [
        timed(['-e', '0'], ''),
        timed([program, file], eventOf(i, 'PreToolUse')),
        timed([program, file], eventOf(i, 'PostToolUse')),
      ] as const
      if (i < 0) continue
      nothing.push(times[0])
      before.push(times[1])
      after.push(times[2])
    }
    const requests: number[] = []
    for (let i = -WARM_UP; i < CALLS; i++) {
      const asked = await requestTime(socket, `b${i}`, 'PreToolUse')
      await requestTime(socket, `b${i}`, 'PostToolUse')
      if (i >= 0) requests.push(asked)
    }
    const at = (times: readonly number[], share: number) =>
      Number(
        quantile(
          times.toSorted((a, b) => a - b),
          share,
        ).toFixed(2),
      )
    return {
      name: 'hook',
      figures: {
        'a process of Node that does nothing, p50, ms': at(nothing, 0.5),
        'hook before a call, whole process, p50, ms': at(before, 0.5),
        'hook before a call, whole process, p99, ms': at(before, 0.99),
        'hook after a call, whole process, p50, ms': at(after, 0.5),
        'hook before a call, times the process that does nothing': Number(
          (at(before, 0.5) / at(nothing, 0.5)).toFixed(2),
        ),
        'request to the service alone, p50, ms': at(requests, 0.5),
        'request to the service alone, p99, ms': at(requests, 0.99),
      },
    }
  } finally {
    served.kill('SIGKILL')
    await rm(folder, { recursive: true, force: true })
  }
}

const payloadOf = (i: number | string, event: string) => ({
  session_id: 's',
  cwd: '/srv/app',
  hook_event_name: event,
  tool_name: 'Bash',
  tool_input: { command: `grep -rn "total_${i}" src | head` },
  tool_use_id: `call-${i}`,
  tool_response: { stdout: 'src/a.ts:3: const total = 1\n'.repeat(20) },
})

const eventOf = (i: number | string, event: string): string => JSON.stringify(payloadOf(i, event))

function requestTime(socket: string, i: string, event: string): Promise<number> {
  const read = findHookClient('claude-code')?.read(payloadOf(i, event))
  const line = JSON.stringify({ build: buildOf({ script: SCRIPT }), client: 'claude-code', event: read })
  const startedAt = performance.now()
  return new Promise((resolve, reject) => {
    const link = connect(socket, () => link.write(`${line}\n`))
    link.on('data', () => resolve(performance.now() - startedAt))
    link.on('error', reject)
  })
}
