import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { z } from 'zod'
import { obtainNode24 } from '../support/run/node-24.js'

/** The official conformance suite of MCP, as its requirements of a revision stood at its release. */
export const REVISIONS = ['2025-11-25', '2026-07-28'] as const
export type Revision = (typeof REVISIONS)[number]

export const otherThan = (revision: Revision): Revision =>
  revision === '2025-11-25' ? '2026-07-28' : '2025-11-25'

const checksSchema = z.array(
  z.looseObject({ id: z.string(), status: z.string(), errorMessage: z.string().optional() }),
)
type Checks = z.infer<typeof checksSchema>

/** A scenario's checks that failed or warned, and how many passed. */
export interface Scenario {
  readonly passed: number
  readonly problems: readonly string[]
}

export type Results = ReadonlyMap<string, Scenario>

const RUN_MS_MAX = 300_000
const PROGRAM = createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/dist/index.js')

/** The program of a Node that the suite runs on (22 or later), or why there is none. */
export const suiteNode = obtainNode24

/** Runs all server scenarios of `revision` against `url`; the results by scenario. */
export async function runSuite(node: string, url: string, revision: Revision): Promise<Results> {
  const folder = await mkdtemp(path.join(tmpdir(), 'conformance-'))
  try {
    const args = [PROGRAM, 'server', '--url', url, '--requirements', revision, '--output-dir', folder]
    // It exits with 1 if a check fails: the results are in the files.
    await new Promise<void>((resolve) => {
      execFile(node, args, { timeout: RUN_MS_MAX, maxBuffer: 64 * 1024 * 1024 }, () => resolve())
    })
    return await resultsIn(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function resultsIn(folder: string): Promise<Results> {
  const results = new Map<string, Scenario>()
  for (const name of (await readdir(folder)).toSorted()) {
    const scenario = /^server-(.*?)-\d{4}-\d\d-\d\dT/.exec(name)?.[1] ?? name
    const checks = checksSchema.parse(
      JSON.parse(await readFile(path.join(folder, name, 'checks.json'), 'utf8')),
    )
    results.set(scenario, scenarioOf(checks))
  }
  return results
}

function scenarioOf(checks: Checks): Scenario {
  const failed = checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING')
  return {
    passed: checks.filter(({ status }) => status === 'SUCCESS').length,
    problems: failed.map(({ id, errorMessage = '' }) => `${id}: ${errorMessage}`),
  }
}

export const passedIn = (results: Results): number => [...results.values()].filter(hasPassed).length

export const checksIn = (results: Results): number =>
  [...results.values()].reduce((sum, { passed }) => sum + passed, 0)

export const hasPassed = ({ problems }: Scenario): boolean => problems.length === 0

/** The scenarios that pass with `bare` and not with `proxied`, with their problems. */
export function lostBetween(bare: Results, proxied: Results): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(
    [...bare]
      .filter(([, scenario]) => hasPassed(scenario))
      .map(([name]) => [name, proxied.get(name)?.problems ?? ['was not run']] as const)
      .filter(([, problems]) => problems.length > 0),
  )
}

export const everythingCommand: readonly [string, string] = [
  process.execPath,
  path.join(import.meta.dirname, 'everything-main.js'),
]

/** The everything server over HTTP; returns its URL. */
export async function startEverything(test: { after(release: () => Promise<void>): void }): Promise<string> {
  const [command, main] = everythingCommand
  const child = spawn(command, [main, '--http'], { stdio: ['ignore', 'pipe', 'inherit'] })
  test.after(async () => {
    const gone = once(child, 'exit')
    child.kill()
    await gone
  })
  const [port] = (await once(child.stdout, 'data')) as [Buffer]
  return `http://127.0.0.1:${port.toString().trim()}/mcp`
}
