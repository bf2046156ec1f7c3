import { readdirSync } from 'node:fs'
import path from 'node:path'
import type { Catalogue } from '@plimsoll/contracts'
import { readCatalogue } from '@plimsoll/policy'
import { projectRoot } from './paths.js'

const FOLDER = path.join(projectRoot, 'test/catalogues')

/** Catalogues of tools that only a benchmark has: AgentDojo by suite, tau-bench. Nothing that ships reads them. */
export const BENCHMARK_CATALOGUES: readonly string[] = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.yaml'))
  .sort()
  .map((name) => path.join(FOLDER, name))

/** The catalogue that ships, with those of the benchmarks. */
export const readBenchmarkCatalogue = (): Promise<Catalogue> => readCatalogue(BENCHMARK_CATALOGUES)
