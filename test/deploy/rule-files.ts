import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parse } from 'yaml'
import { projectRoot } from '../support/paths.js'

export interface RecordingRule {
  readonly record: string
  readonly expr: string
}

export interface AlertRule {
  readonly alert: string
  readonly expr: string
  readonly for?: string
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
}

interface RuleFile {
  readonly groups: readonly {
    readonly name: string
    readonly rules: readonly (RecordingRule | AlertRule)[]
  }[]
}

export interface AlertCase {
  /** Of the alert. */
  readonly name: string
  readonly promql_expr_test: readonly { readonly expr: string; readonly exp_samples: readonly unknown[] }[]
}

export const RULES = 'deploy/prometheus/rules'
export const RULE_TESTS = 'deploy/prometheus/tests'

/** The files of a folder, from the project's root. */
export function filesIn(folder: string): readonly string[] {
  return readdirSync(path.join(projectRoot, folder))
    .sort()
    .map((name) => `${folder}/${name}`)
}

export const readText = (file: string): string => readFileSync(path.join(projectRoot, file), 'utf8')

export const readYaml = (file: string): unknown => parse(readText(file))

const rules = filesIn(RULES).flatMap((file) =>
  (readYaml(file) as RuleFile).groups.flatMap((group) => group.rules),
)

export const recordingRules = rules.filter((rule) => 'record' in rule)
export const alertRules = rules.filter((rule) => 'alert' in rule)
export const alertCases = filesIn(RULE_TESTS).flatMap(
  (file) => (readYaml(file) as { readonly tests: readonly AlertCase[] }).tests,
)
