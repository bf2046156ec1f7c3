import { cp, mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { freePorts } from '../support/components/free-ports.js'
import { startProcess } from '../support/components/local-process.js'
import { projectRoot } from '../support/paths.js'
import { waitUntil } from '../support/wait-until.js'
import { RULES } from './rule-files.js'

export interface Series {
  readonly metric: Readonly<Record<string, string>>
  /** The value last of the two is a number in text. */
  readonly value: readonly [number, string]
}

export interface PrometheusServer {
  /** What `query` comes to now; rejects where Prometheus does not understand it. */
  query(query: string): Promise<readonly Series[]>
  /** What `path` of the API answers, such as `rules`. */
  api(path: string): Promise<unknown>
  close(): Promise<void>
}

/** A real Prometheus of this machine that scrapes `targets` every second, with the project's rules evaluated as often. */
export async function startPrometheus(targets: readonly string[]): Promise<PrometheusServer> {
  const folder = await mkdtemp(path.join(tmpdir(), 'plimsoll-prometheus-'))
  await mkdir(path.join(folder, 'data'))
  await copyRules(path.join(folder, 'rules'))
  await writeFile(path.join(folder, 'prometheus.yml'), configuration(folder, targets))
  const [port = 0] = await freePorts(1)
  const child = await startProcess({
    command: 'prometheus',
    args: [
      `--config.file=${folder}/prometheus.yml`,
      `--storage.tsdb.path=${folder}/data`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    logFile: path.join(folder, 'log'),
    directoryOfOurs: folder,
  })
  const url = `http://127.0.0.1:${port}`
  const api = async (request: string): Promise<unknown> => {
    const response = await fetch(`${url}/api/v1/${request}`)
    const { status, data, error } = (await response.json()) as {
      status: string
      data: unknown
      error?: string
    }
    if (status !== 'success') throw new Error(`${error} in ${decodeURIComponent(request)}`)
    return data
  }
  await waitUntil('Prometheus is ready', async () => (await fetch(`${url}/-/ready`)).ok, {
    timeoutMs: 90_000,
    hopeless: () => (child.isRunning() ? undefined : child.lastLines()),
  })
  return {
    api,
    query: async (query) => {
      const answer = await api(`query?query=${encodeURIComponent(query)}`)
      return (answer as { result: readonly Series[] }).result
    },
    close: async () => {
      await child.end('SIGTERM')
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** The rules as they are, but for how often they are evaluated: a test has no half minute to wait. */
async function copyRules(target: string): Promise<void> {
  await cp(path.join(projectRoot, RULES), target, { recursive: true })
  for (const name of await readdir(target)) {
    const file = path.join(target, name)
    const text = await readFile(file, 'utf8')
    await writeFile(file, text.replaceAll(/^ {4}interval: \w+$/gm, '    interval: 1s'))
  }
}

const configuration = (folder: string, targets: readonly string[]) => `
global: { scrape_interval: 1s, evaluation_interval: 1s }
rule_files: ['${folder}/rules/*.yml']
scrape_configs:
  - job_name: plimsoll
    static_configs: [{ targets: ${JSON.stringify(targets)} }]
`
