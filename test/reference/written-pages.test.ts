import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { COMMANDS } from '@plimsoll/cli'
import { dashboardFiles } from '@plimsoll/dashboards'
import { readDashboard } from '../deploy/dashboard-files.js'
import { projectRoot } from '../support/paths.js'
import { configurationPage } from './pages/configuration-page.js'
import { writtenPages } from './hand-written.js'

const pages = writtenPages()

test('every link of the pages leads to a file of the project', () => {
  const broken = pages.flatMap(({ file, text }) =>
    [...text.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)]
      .map(([, target = '']) => target)
      .filter((target) => !/^[a-z]+:/.test(target))
      .filter((target) => !existsSync(path.join(projectRoot, path.dirname(file), target)))
      .map((target) => `${file}: ${target}`),
  )
  assert.deepEqual(broken, [])
})

test('every file of the code that the pages name exists', () => {
  const missing = pages.flatMap(({ file, text }) =>
    [...text.matchAll(/`((?:shared|services|lab|test|deploy|scripts|examples)\/[\w./-]+)`/g)]
      .map(([, named = '']) => named)
      .filter((named) => !existsSync(path.join(projectRoot, named)))
      .map((named) => `${file}: ${named}`),
  )
  assert.deepEqual(missing, [])
})

test('every setting that the pages name is one', () => {
  const settings = configurationPage()
  // Each secret has a second setting, which names a file with it.
  const isKnown = (name: string) =>
    [name, name.replace(/_FILE$/, '')].some(
      (each) => settings.includes(`### \`${each}\``) || settings.includes(`- \`${each}\``),
    )
  const unknown = pages.flatMap(({ file, text }) =>
    [...text.matchAll(/\b(?:PLIMSOLL|KAFKA|REDIS)_[A-Z_]*[A-Z]\b/g)]
      .map(([name]) => name)
      .filter((name) => !isKnown(name))
      .map((name) => `${file}: ${name}`),
  )
  assert.deepEqual(unknown, [])
})

test('every command that the pages give is one, with options that it has', () => {
  const wrong = pages.flatMap(({ file, text }) =>
    [...text.matchAll(/\bplimsoll ((?:[a-z]+)(?: [^`#\n]*)?)/g)].flatMap(([, words = '']) => {
      // Prose and file names contain `plimsoll` too: only code is a command.
      const isCode = text.includes(`npx plimsoll ${words}`) || text.includes(`\`plimsoll ${words}`)
      const problem = isCode ? problemOf(words) : undefined
      return problem === undefined ? [] : [`${file}: plimsoll ${words}: ${problem}`]
    }),
  )
  assert.deepEqual(wrong, [])
})

test('every panel, row and dashboard that the pages name is in Grafana', () => {
  const dashboards = dashboardFiles().map(({ name }) => readDashboard(`deploy/grafana/dashboards/${name}`))
  const known = new Set(
    dashboards.flatMap(({ title, panels }) => [
      title.replace(/^Plimsoll: /, ''),
      ...panels.flatMap((panel) => [panel.title, ...(panel.panels ?? []).map((each) => each.title)]),
    ]),
  )
  const unknown = pages.flatMap(({ file, text }) =>
    text
      .replaceAll('**', '')
      .split('\n')
      // Runbooks set nothing else in italics; other pages do.
      .filter((line) => file.includes('/runbooks/') || /\b(?:panel|dashboard)s?\b/i.test(line))
      .flatMap((line) => [...line.matchAll(/\*([^*]+)\*/g)].map(([, name = '']) => name))
      .filter((name) => !known.has(name))
      .map((name) => `${file}: ${name}`),
  )
  assert.deepEqual(unknown, [])
})

function problemOf(words: string): string | undefined {
  // `mcp wrap` comes after `mcp`.
  const command = COMMANDS.findLast(({ name }) => `${words} `.startsWith(`${name} `))
  // `plimsoll dlq` is a group of commands.
  const isGroup = COMMANDS.some(({ name }) => name.startsWith(`${words.trim()} `))
  if (!command) return isGroup ? undefined : 'no such command'
  const unknown = [...words.matchAll(/ --([a-z-]+)/g)]
    .map(([, option = '']) => option)
    .filter((option) => option !== 'help' && !Object.hasOwn(command.options, camelCased(option)))
  return unknown.length > 0 ? `no option --${unknown.join(', --')}` : undefined
}

const camelCased = (option: string): string =>
  option.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
