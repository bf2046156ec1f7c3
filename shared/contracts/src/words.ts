/** The closed vocabularies of Plimsoll, each ascending where it has an order. Source: DESIGN §3; SafetyDrift §4. */

export const EXPOSURES = ['none', 'public', 'internal', 'sensitive', 'credentials'] as const
export const ESCALATIONS = ['read_only', 'file_write', 'code_exec', 'network'] as const
export const REVERSIBILITIES = ['reversible', 'partial', 'irreversible'] as const
export const LEVELS = ['safe', 'mild', 'elevated', 'critical', 'violated'] as const
export const TAINTS = ['none', 'data', 'instructions'] as const
export const VERDICTS = ['allow', 'warn', 'confirm', 'block'] as const

/** Whether verdicts are waited for. */
export const MODES = ['enforce', 'observe'] as const

export const CAPABILITIES = ['read', 'write', 'execute', 'network'] as const
export const CONFIDENTIALITIES = ['public', 'internal', 'sensitive', 'credentials'] as const
/** What a label can say of what a tool returns; `none`: nothing of note. */
export const CONFIDENTIALITY_LABELS = ['none', ...CONFIDENTIALITIES] as const
export const TRUSTS = ['trusted', 'untrusted'] as const
export const EVIDENCES = ['present', 'absent', 'unknown'] as const
/** What a step does that cannot be taken back, as a task may ask for it. */
export const ACTS = ['delete', 'overwrite', 'pay', 'publish', 'send', 'grant', 'credential'] as const
/** Tags that clients put on a step when they read its arguments: what it would bring about at worst. No result of a step carries them. */
export const STEP_TAGS = ['wipes-system', 'disables-logs', 'disables-plimsoll'] as const

export type Exposure = (typeof EXPOSURES)[number]
export type Escalation = (typeof ESCALATIONS)[number]
export type Reversibility = (typeof REVERSIBILITIES)[number]
export type Level = (typeof LEVELS)[number]
export type Taint = (typeof TAINTS)[number]
export type Verdict = (typeof VERDICTS)[number]
export type Mode = (typeof MODES)[number]
export type Capability = (typeof CAPABILITIES)[number]
export type Confidentiality = (typeof CONFIDENTIALITIES)[number]
export type ConfidentialityLabel = (typeof CONFIDENTIALITY_LABELS)[number]
export type Trust = (typeof TRUSTS)[number]
export type Evidence = (typeof EVIDENCES)[number]
export type Act = (typeof ACTS)[number]
