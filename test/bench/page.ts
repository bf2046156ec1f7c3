import { writeFile } from 'node:fs/promises'
import { availableParallelism, cpus, loadavg } from 'node:os'
import path from 'node:path'
import { projectRoot } from '../support/paths.js'
import { type Report, quantile } from './report.js'

const SECONDS_MIN = 30
const RUNS_MIN = 2

/** Where `npm run bench -- --page` writes. */
const PAGE = 'docs/reference/benchmark-figures.md'

/** The medians of runs of together 30 seconds at least, after a warm-up, and the machine's load before and after. */
export async function runLong(bench: () => Promise<Report>): Promise<Report> {
  const loadBefore = loadavg()[0] ?? 0
  const { name } = await bench()
  const runs: Report['figures'][] = []
  const start = performance.now()
  while (runs.length < RUNS_MIN || performance.now() - start < SECONDS_MIN * 1000)
    runs.push((await bench()).figures)
  const medians = Object.keys(runs[0] ?? {}).map((figure) => [
    figure,
    quantile(
      runs.flatMap((figures) => figures[figure] ?? []),
      0.5,
    ),
  ])
  const figures = Object.fromEntries(medians) as Record<string, number>
  return {
    name,
    figures: {
      ...figures,
      'runs after the warm-up': runs.length,
      "machine's load before": round(loadBefore),
      "machine's load after": round(loadavg()[0] ?? 0),
    },
  }
}

/** Writes the page of figures; returns its path in the project. */
export async function writePage(reports: readonly Report[]): Promise<string> {
  const cpu = `${availableParallelism()} cores of ${cpus()[0]?.model ?? 'an unknown kind'}`
  const head = [
    '# Benchmark figures',
    '',
    `Made by \`npm run bench -- --page\` on ${new Date().toISOString().slice(0, 10)}, on ${cpu}, Node ${process.versions.node}. Kafka,`,
    'Redis and the load share the machine: read the ratios, and the times only beside each other.',
    'Medians of at least 30 seconds a benchmark, after a run that only warms up.',
    '[What each benchmark measures](benchmarks.md).',
    '',
  ]
  const tables = reports.flatMap(({ name, figures }) => [
    `## ${name}`,
    '',
    '| what | figure |',
    '|---|---|',
    ...Object.entries(figures).map(([figure, value]) => `| ${figure} | ${value.toLocaleString('en')} |`),
    '',
  ])
  await writeFile(path.join(projectRoot, PAGE), [...head, ...tables].join('\n'))
  return PAGE
}

const round = (value: number): number => Math.round(value * 10) / 10
