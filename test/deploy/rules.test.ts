import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { COMMANDS } from '@plimsoll/cli'
import { ERRORS } from '@plimsoll/contracts'
import { DEBIAN_ALERTMANAGER, DEBIAN_PROMETHEUS, findProgram } from './programs.js'
import { RULES, RULE_TESTS, alertCases, alertRules, filesIn, readText, recordingRules } from './rule-files.js'

const promtool = findProgram('promtool', DEBIAN_PROMETHEUS)
const amtool = findProgram('amtool', DEBIAN_ALERTMANAGER)
const RUNBOOKS = 'docs/guides/runbooks'

test('Prometheus accepts the rules', { skip: promtool.skip }, async () => {
  const said = await promtool.output(['check', 'rules', ...filesIn(RULES)])
  assert.match(said, new RegExp(`${alertRules.length} rules found`))
  assert.match(said, new RegExp(`${recordingRules.length} rules found`))
})

for (const file of filesIn(RULE_TESTS))
  test(`alerts fire when they should and not otherwise: ${file}`, { skip: promtool.skip }, async () => {
    assert.match(await promtool.output(['test', 'rules', file]), /SUCCESS/)
  })

test('Alertmanager accepts its configuration', { skip: amtool.skip }, async () => {
  assert.match(await amtool.output(['check-config', 'deploy/alertmanager/alertmanager.yml']), /SUCCESS/)
})

describe('every alert', () => {
  for (const { alert, labels, annotations } of alertRules)
    test(alert, () => {
      assert.match(labels['severity'] ?? '', /^(critical|warning)$/)
      for (const name of ['summary', 'description']) assert.ok(annotations[name], name)
      const page = annotations['runbook_url'] ?? ''
      const text = readText(page)
      assert.equal(text.split('\n')[0], `# ${alert}`, page)
      for (const part of ['## How to look\n', '## What to do\n'])
        assert.ok(text.includes(part), `${page}: ${part}`)
      const quiet = new Set(expectations(alert).map(({ exp_samples }) => exp_samples.length === 0))
      assert.deepEqual(quiet, new Set([true, false]), 'tested where it fires and where it does not')
    })
})

test('no runbook or test remains of a deleted alert', () => {
  const pages = alertRules.map(({ annotations }) => annotations['runbook_url'] ?? '')
  assert.deepEqual(pages.toSorted(), filesIn(RUNBOOKS).toSorted())
  assert.deepEqual(
    alertCases.map(({ name }) => name).toSorted(),
    alertRules.map(({ alert }) => alert).toSorted(),
  )
})

test('the runbooks name only existing commands, settings and error codes', () => {
  const commands = COMMANDS.map(({ name }) => name)
  const settings = new Set(COMMANDS.flatMap(({ environment = {} }) => Object.keys(environment)))
  for (const page of filesIn(RUNBOOKS)) {
    const text = readText(page)
    for (const [, call = ''] of text.matchAll(/`npx plimsoll ([a-z ]+)/g))
      assert.ok(
        commands.some((name) => `${call} `.startsWith(`${name} `)),
        `${page}: plimsoll ${call}`,
      )
    for (const [, setting = ''] of text.matchAll(/`(PLIMSOLL_\w+)/g))
      assert.ok(settings.has(setting), `${page}: ${setting}`)
    for (const [, code = ''] of text.matchAll(/`([a-z]+(?:_[a-z]+)+)`/g))
      assert.ok(code in ERRORS, `${page}: ${code}`)
  }
})

const expectations = (alert: string) =>
  alertCases
    .filter(({ name }) => name === alert)
    .flatMap(({ promql_expr_test }) => promql_expr_test)
    .filter(({ expr }) => expr.includes(`"${alert}"`))
