/**
 * The cascade from safety state to risk level, as data. Each rule: least exposure, least escalation, least reversibility (0: any),
 * level; the first that matches counts. Source: SafetyDrift §4, Appendix A (12 ordered rules). Any such table gives a valid chain.
 */
const NONE = 0
const INTERNAL = 2
const SENSITIVE = 3
const CREDENTIALS = 4
const FILE_WRITE = 1
const CODE_EXEC = 2
const NETWORK = 3
const IRREVERSIBLE = 2

type Rule = readonly [exposure: number, escalation: number, reversibility: number, level: number]

const RULES: readonly Rule[] = [
  [CREDENTIALS, NETWORK, IRREVERSIBLE, 4],
  [SENSITIVE, NETWORK, IRREVERSIBLE, 4],
  [CREDENTIALS, CODE_EXEC, NONE, 3],
  [SENSITIVE, NETWORK, NONE, 3],
  [CREDENTIALS, NONE, NONE, 2],
  [SENSITIVE, CODE_EXEC, NONE, 2],
  [SENSITIVE, FILE_WRITE, IRREVERSIBLE, 2],
  [SENSITIVE, FILE_WRITE, NONE, 1],
  [INTERNAL, NETWORK, NONE, 1],
  [SENSITIVE, NONE, NONE, 1],
  [INTERNAL, FILE_WRITE, NONE, 1],
  [NONE, NONE, NONE, 0],
]

/** The level (index into LEVELS) that the cascade gives to one triple of indices. */
export function cascade(exposure: number, escalation: number, reversibility: number): number {
  const rule = RULES.find(([d, t, r]) => exposure >= d && escalation >= t && reversibility >= r)
  return rule?.[3] ?? 0
}
