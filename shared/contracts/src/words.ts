/** The closed vocabularies of Plimsoll, ascending where there is an order. Source: SafetyDrift §4. */

export const EXPOSURES = ['none', 'public', 'internal', 'sensitive', 'credentials'] as const
export const ESCALATIONS = ['read_only', 'file_write', 'code_exec', 'network'] as const
export const REVERSIBILITIES = ['reversible', 'partial', 'irreversible'] as const
export const LEVELS = ['safe', 'mild', 'elevated', 'critical', 'violated'] as const
export const TAINTS = ['none', 'data', 'instructions'] as const
export const VERDICTS = ['allow', 'warn', 'confirm', 'block'] as const

/** Whether clients wait for verdicts. */
export const MODES = ['enforce', 'observe'] as const

export const CAPABILITIES = ['read', 'write', 'execute', 'network'] as const
export const CONFIDENTIALITIES = ['public', 'internal', 'sensitive', 'credentials'] as const
/** Confidentiality in a tool's labels; `none`: nothing sensitive. */
export const CONFIDENTIALITY_LABELS = ['none', ...CONFIDENTIALITIES] as const
export const TRUSTS = ['trusted', 'untrusted'] as const
export const EVIDENCES = ['present', 'absent', 'unknown'] as const
/** Irreversible acts of a step, which a task may ask for. */
export const ACTS = ['delete', 'overwrite', 'pay', 'publish', 'send', 'grant', 'credential'] as const
/** What a step does to an object. Source: docs/decisions/20261127-effects.md. */
export const EFFECT_ACTS = [
  'read',
  'create',
  'change',
  'delete',
  'send',
  'request',
  'pay',
  'grant',
  'publish',
  'deploy',
  'restore',
  'stop',
  'run',
  'persist',
  'control',
] as const
/** The acts that cannot be taken back, which clients report; of the others labels tell. */
export const FINAL_ACTS = [
  'change',
  'delete',
  'send',
  'pay',
  'grant',
  'publish',
  'deploy',
  'restore',
  'stop',
  'persist',
  'control',
] as const satisfies readonly (typeof EFFECT_ACTS)[number][]
/** Kinds of objects. `resource`: a thing of a cloud, a registry or another service. */
export const OBJECT_KINDS = [
  'path',
  'host',
  'table',
  'process',
  'container',
  'volume',
  'resource',
  'branch',
  'account',
  'person',
  'record',
  'setting',
] as const
/** Who is affected, ascending. `own`: this session made it. */
export const REACHES = ['own', 'project', 'shared', 'live', 'control', 'disposable'] as const
/** Whether the text behind an effect was understood as a whole. */
export const CERTAINTIES = ['understood', 'incomplete'] as const
/** What an approval counts for: the one step, or like steps of its session too. */
export const APPROVAL_SCOPES = ['once', 'session'] as const
/** `always`: the place that asked, if it keeps approvals, gives the same answer in later sessions. */
export const PERMITTED_SCOPES = [...APPROVAL_SCOPES, 'always'] as const
/** Tags that clients add to a step from its arguments: its worst possible effect. Results never carry them. */
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
export type ApprovalScope = (typeof APPROVAL_SCOPES)[number]
export type PermittedScope = (typeof PERMITTED_SCOPES)[number]
export type Act = (typeof ACTS)[number]
export type EffectAct = (typeof EFFECT_ACTS)[number]
export type ObjectKind = (typeof OBJECT_KINDS)[number]
export type Reach = (typeof REACHES)[number]

/** The irreversible act that a task has to ask for before an effect counts as asked; undefined: none. */
export const ACT_OF_EFFECT: Readonly<Record<EffectAct, Act | undefined>> = {
  read: undefined,
  create: undefined,
  change: 'overwrite',
  delete: 'delete',
  send: 'send',
  request: undefined,
  pay: 'pay',
  grant: 'grant',
  publish: 'publish',
  deploy: 'publish',
  restore: 'overwrite',
  stop: 'delete',
  run: undefined,
  persist: 'grant',
  control: 'grant',
}
