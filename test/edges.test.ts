import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type PackageFacts, checkPackage } from './support/edges/check.js'
import { folderOrder } from './support/edges/folders.js'
import { checkInside } from './support/edges/inside.js'
import { readPackages } from './support/edges/packages.js'
import { allowedEdges } from './support/edges/rules.js'
import { specifiersOf } from './support/edges/source-text.js'
import { projectRoot } from './support/paths.js'

describe('the edges of the packages', () => {
  const packages = readPackages(projectRoot)

  for (const facts of packages) {
    test(facts.folder, () => assert.equal(checkPackage(facts).join('\n'), ''))
  }

  test('none is declared for a missing package', () => {
    assert.deepEqual(packages.map((facts) => facts.folder).sort(), Object.keys(allowedEdges).sort())
  })
})

describe('the folders inside each package', () => {
  const packages = readPackages(projectRoot)

  for (const facts of packages)
    test(facts.folder, () => assert.equal(checkInside(facts, folderOrder[facts.folder]).join('\n'), ''))

  test('no order is declared for a missing package', () => {
    const folders = new Set(packages.map((facts) => facts.folder))
    assert.deepEqual(
      Object.keys(folderOrder).filter((folder) => !folders.has(folder)),
      [],
    )
  })

  const files = (texts: Readonly<Record<string, string>>): PackageFacts => ({
    folder: 'shared/x',
    files: Object.entries(texts).map(([name, text]) => ({ path: `shared/x/src/${name}`, text })),
    dependencies: [],
    references: [],
  })
  const low = "import type { B } from '../high/b.js'"
  const high = "import { a } from '../low/a.js'"

  test('finds an import circle, types included, and an import of a higher folder', () => {
    const facts = files({ 'low/a.ts': low, 'high/b.ts': high })
    assert.deepEqual(checkInside(facts, ['low', 'high']), [
      'circle: low/a.ts → high/b.ts → low/a.ts',
      'shared/x: low/a.ts may not use high/b.ts: high lies above low',
    ])
    assert.deepEqual(checkInside(files({ 'low/a.ts': '', 'high/b.ts': high }), ['low', 'high']), [])
    assert.deepEqual(checkInside(files({ 'new/a.ts': '' }), ['low']), [
      'shared/x: no place is stated for its folder new',
    ])
  })
})

/** A package of one file, right but for what a bad example says. */
function packageWith(
  folder: string,
  file: string,
  text: string,
  declared: Partial<PackageFacts> = {},
): PackageFacts {
  return {
    folder,
    files: [{ path: `${folder}/${file}`, text }],
    dependencies: [],
    references: [],
    ...declared,
  }
}

const contracts = { dependencies: ['@plimsoll/contracts'], references: ['shared/contracts'] }

describe('finds a wrong edge', () => {
  const cases: readonly { readonly name: string; readonly facts: PackageFacts; readonly found: RegExp }[] = [
    {
      name: 'a package that nothing is stated for',
      facts: packageWith('shared/extra', 'src/a.ts', ''),
      found: /no allowed edges/,
    },
    {
      name: 'the engine uses the runtime',
      facts: packageWith('shared/engine', 'src/a.ts', "import { systemClock } from '@plimsoll/runtime'"),
      found: /may not use runtime/,
    },
    {
      name: 'the same as a type, over several lines',
      facts: packageWith('shared/engine', 'src/a.ts', "import type {\n  Clock,\n} from '@plimsoll/runtime'"),
      found: /may not use runtime/,
    },
    {
      name: 'the same as a re-export',
      facts: packageWith('shared/engine', 'src/a.ts', "export * from '@plimsoll/runtime'"),
      found: /may not use runtime/,
    },
    {
      name: 'the same at run time',
      facts: packageWith('shared/engine', 'src/a.ts', "const clock = await import('@plimsoll/runtime')"),
      found: /may not use runtime/,
    },
    {
      name: 'a service uses another',
      facts: packageWith('services/gateway', 'src/a.ts', "import { startMonitor } from '@plimsoll/monitor'"),
      found: /may not use monitor/,
    },
    {
      name: 'a service uses the lab',
      facts: packageWith('services/monitor', 'src/a.ts', "import { refitFromLive } from '@plimsoll/fit'"),
      found: /may not use fit/,
    },
    {
      name: 'the lab uses a service',
      facts: packageWith('lab/fit', 'src/a.ts', "import { startMonitor } from '@plimsoll/monitor'"),
      found: /may not use monitor/,
    },
    {
      name: 'a shared package uses a service',
      facts: packageWith('shared/client', 'src/a.ts', "import { runFleet } from '@plimsoll/fleet'"),
      found: /may not use fleet/,
    },
    {
      name: 'a deep import',
      facts: packageWith(
        'services/cli',
        'src/a.ts',
        "import { x } from '@plimsoll/contracts/dist/ids.js'",
        contracts,
      ),
      found: /reaches behind an index/,
    },
    {
      name: 'a deep import beside an entry point',
      facts: packageWith(
        'services/cli',
        'src/a.ts',
        "import { x } from '@plimsoll/runtime/dist/kafka/index.js'",
      ),
      found: /reaches behind an index/,
    },
    {
      name: 'a relative import out of the package',
      facts: packageWith(
        'services/cli',
        'src/a.ts',
        "import { x } from '../../../shared/contracts/src/ids.js'",
      ),
      found: /leaves the package/,
    },
    {
      name: 'an edge that is not declared',
      facts: packageWith('shared/engine', 'src/a.ts', "import type { Event } from '@plimsoll/contracts'"),
      found: /@plimsoll\/contracts is used and missing from its dependencies/,
    },
    {
      name: 'an edge without a project reference',
      facts: packageWith('shared/engine', 'src/a.ts', "import type { Event } from '@plimsoll/contracts'", {
        dependencies: ['@plimsoll/contracts'],
      }),
      found: /shared\/contracts is used and missing from its references/,
    },
    {
      name: 'an edge that is declared and not used',
      facts: packageWith('shared/engine', 'src/a.ts', 'export const a = 1', contracts),
      found: /is in its dependencies and not used/,
    },
    {
      name: 'a library that is not declared',
      facts: packageWith('shared/labels', 'src/a.ts', "import { parse } from 'yaml'"),
      found: /yaml is used and missing/,
    },
    {
      name: 'the engine knows Node',
      facts: packageWith('shared/engine', 'src/a.ts', "import { createHash } from 'node:crypto'"),
      found: /no use for node:crypto/,
    },
    {
      name: 'the engine reads the clock',
      facts: packageWith('shared/engine', 'src/a.ts', 'export const now = () => Date.now()'),
      found: /no use for Date\.now/,
    },
    {
      name: 'chains throw dice',
      facts: packageWith('lab/chains', 'src/a.ts', 'export const dice = () => Math.random()'),
      found: /no use for Math\.random/,
    },
    {
      name: 'kafkajs outside its adapter',
      facts: packageWith('shared/runtime', 'src/redis/a.ts', "import { Kafka } from 'kafkajs'", {
        dependencies: ['kafkajs'],
      }),
      found: /only an adapter may import kafkajs/,
    },
    {
      name: 'prom-client in a service',
      facts: packageWith('services/monitor', 'src/metrics.ts', "import { Registry } from 'prom-client'", {
        dependencies: ['prom-client'],
      }),
      found: /only an adapter may import prom-client/,
    },
    {
      name: 'the environment outside a main.ts',
      facts: packageWith(
        'services/monitor',
        'src/config.ts',
        'export const url = `${process.env.REDIS_URL}`',
      ),
      found: /only a main\.ts may touch process\.env/,
    },
    {
      name: 'an exit outside a main.ts',
      facts: packageWith('services/cli', 'src/run.ts', 'process.exit(1)'),
      found: /only a main\.ts may touch process\.exit/,
    },
    {
      name: 'the environment by import',
      facts: packageWith('services/cli', 'src/run.ts', "import { env } from 'node:process'"),
      found: /only a main\.ts may touch node:process/,
    },
  ]

  for (const { name, facts, found } of cases) {
    test(name, () => assert.match(checkPackage(facts).join('\n'), found))
  }
})

describe('ignores text that is not an import', () => {
  const cases: readonly { readonly name: string; readonly facts: PackageFacts }[] = [
    {
      name: 'an allowed and declared one',
      facts: packageWith(
        'shared/engine',
        'src/a.ts',
        "import type { Event } from '@plimsoll/contracts'",
        contracts,
      ),
    },
    {
      name: 'an entry point of its own',
      facts: packageWith(
        'services/cli',
        'src/a.ts',
        "import { createKafkaLog } from '@plimsoll/runtime/kafka'",
        {
          dependencies: ['@plimsoll/runtime'],
          references: ['shared/runtime'],
        },
      ),
    },
    {
      name: 'one in a comment',
      facts: packageWith(
        'shared/engine',
        'src/a.ts',
        "/**\n * @example\n * import { x } from '@plimsoll/client'\n */",
      ),
    },
    {
      name: 'the environment in a main.ts, and in what is said of it',
      facts: {
        ...packageWith('services/cli', 'src/main.ts', 'process.exitCode = 1'),
        files: [
          { path: 'services/cli/src/main.ts', text: 'process.exit(Number(process.env.CODE))' },
          {
            path: 'services/cli/src/a.ts',
            text: "// process.env is main's\nexport const why = 'process.exit is too'",
          },
        ],
      },
    },
    {
      name: 'Node in a test of the engine',
      facts: packageWith(
        'shared/engine',
        'src/a.test.ts',
        "import { test } from 'node:test'\nconst t = Date.now()",
      ),
    },
  ]

  for (const { name, facts } of cases) {
    test(name, () => assert.deepEqual(checkPackage(facts), []))
  }

  test('ignores a word `from` outside imports', () => {
    assert.deepEqual(specifiersOf("export interface A {\n  from: string\n}\nconst a = Array.from('abc')"), [])
  })
})
