/** `error`: the policy does not do what it says, or its analysis has a hole. `warning`: hardly meant. `note`: worth knowing. */
export type Severity = 'error' | 'warning' | 'note'

/** What reading a policy closely finds; every code with what to do is in docs/reference/policies.md. */
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
  readonly path: readonly PropertyKey[]
  /** One line: what was found, and what to do. */
  readonly message: string
}
