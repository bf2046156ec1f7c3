import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { CatalogueEntry } from '@plimsoll/contracts'
import { labelStep } from '@plimsoll/labels'
import { commandsFor, loadCommands } from './commands.js'
import { GROUPS } from './program.js'

const MAIN = fileURLToPath(new URL('main.js', import.meta.url))

test('the overview has each command where it is loaded, with its own summary', async () => {
  const shown = await commandsFor([])
  const words = new Set((await loadCommands()).map(({ name }) => name.split(' ')[0]))
  assert.deepEqual(
    shown.map(({ name }) => name),
    [...words],
  )
  for (const { name, summary } of shown) {
    const loaded = await commandsFor(name.split(' '))
    const own = loaded.find((each) => each.name.split(' ')[0] === name)
    assert.equal(summary, own?.name === name ? own.summary : GROUPS[name])
    assert.ok((own?.examples.length ?? 0) > 0, `${name} is loaded when it is called`)
    const forHelp = await commandsFor(['help', name])
    assert.deepEqual(
      forHelp.map(({ examples }) => examples),
      loaded.map(({ examples }) => examples),
    )
  }
})

/** For `--import`: prints the address of each ES module that Node loads, a line each. */
const hooks = `import { writeSync } from 'node:fs'
export const load = (url, context, next) => (writeSync(2, 'loaded ' + url + '\\n'), next(url, context))`
const dataUrl = (code: string) => `data:text/javascript,${encodeURIComponent(code)}`
const RECORDER = dataUrl(`import { register } from 'node:module'
register(${JSON.stringify(dataUrl(hooks))})`)

test('`--help` loads no command, no service and no schema', () => {
  const { stdout, stderr, status } = spawnSync(process.execPath, ['--import', RECORDER, MAIN, '--help'], {
    encoding: 'utf8',
  })
  assert.equal(status, 0)
  assert.match(stdout, /^Usage: plimsoll/)
  const files = [...stderr.matchAll(/^loaded (file:.*)$/gm)].map(([, url = '']) => url)
  assert.ok(files.includes(new URL('main.js', import.meta.url).href), stderr)
  assert.ok(files.length <= 15, `${files.length} modules:\n${files.join('\n')}`)
})

/** Commands by which people say what Plimsoll allows; an agent that runs them answers its own questions. */
const OF_OPERATORS = new Set(
  `appeal approve console control declassify hook publish rebuild`
    .split(' ')
    .concat([
      'approvals forget',
      'approvals revoke',
      'mcp approve',
      'mcp unwrap',
      'proof erase',
      'proof key',
      'proof record',
      'sessions end',
      'sessions label',
    ]),
)
/** Commands that only look, check, or run services of their own. */
const FREE = new Set(
  'approvals category completion dlq doctor eval explain fit fleet gateway init judge label mcp monitor observed otel policy proof replay sessions up verify upgrade'.split(
    ' ',
  ),
)

test('each command is one for operators, which a step may not run, or agents may run it too', async () => {
  const shell: CatalogueEntry = {
    tools: ['sh'],
    labels: { capability: 'execute', reversibility: 'partial' },
    least: { capability: 'read', reversibility: 'reversible' },
    arguments: [{ in: 'command', as: 'shell' }],
  }
  for (const { name } of await loadCommands()) {
    const [first = ''] = name.split(' ')
    const isOfOperators = OF_OPERATORS.has(name) || OF_OPERATORS.has(first)
    assert.ok(isOfOperators || FREE.has(first), `say whether agents may run \`plimsoll ${name}\``)
    for (const command of [`plimsoll ${name} x`, `uvx plimsoll ${name} x`]) {
      const { labels } = labelStep('sh', { command }, shell, undefined)
      assert.equal(labels.tags?.includes('disables-plimsoll') ?? false, isOfOperators, command)
    }
  }
})
