import type { Path } from '../specs/walk.js'

/** `error`: the policy does not do what it says, or its analysis has a gap. `warning`: probably a mistake. `note`: worth knowing. */
export type Severity = 'error' | 'warning' | 'note'

/** The codes of lint findings; docs/reference/policies.md says what to do about each. */
export const LINT_CODES = {
  invalid: 'error',
  'requirement-without-spec': 'error',
  'hazard-without-requirement': 'error',
  'loss-without-hazard': 'error',
  'hazard-restates-spec': 'error',
  'required-and-blocked': 'error',
  'requires-circle': 'error',
  'spec-without-requirement': 'warning',
  'action-without-requirement': 'warning',
  'hazard-not-reached': 'warning',
  'stakeholder-without-loss': 'note',
  'no-analysis': 'note',
  'line-lets-leaks-run': 'error',
  'line-lets-unknown-run': 'warning',
  'integrity-lets-run': 'warning',
  'irreversible-lets-run': 'warning',
  'flow-without-credentials': 'warning',
  'flow-never-silenced': 'warning',
  'declassifier-unused': 'warning',
  'declassifier-idle': 'warning',
  'endorser-to-trusted': 'warning',
  'lifts-nothing': 'warning',
  'spec-shadowed': 'warning',
  'where-constant': 'warning',
  'counts-without-window': 'warning',
  'matches-no-tool': 'warning',
  'label-of-no-tool': 'warning',
  'label-left-out': 'warning',
} as const satisfies Record<string, Severity>
export type LintCode = keyof typeof LINT_CODES

export interface Finding {
  readonly code: LintCode
  /** From the document's root. */
  readonly path: Path
  /** One line: what is wrong, and what to do. */
  readonly message: string
}

export const finding = (code: LintCode, path: Path, message: string): Finding => ({ code, path, message })
