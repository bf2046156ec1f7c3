import { z } from 'zod'
import { DECISION_KINDS } from '../ids.js'
import {
  ACTS,
  CAPABILITIES,
  CERTAINTIES,
  EFFECT_ACTS,
  ESCALATIONS,
  EVIDENCES,
  EXPOSURES,
  LEVELS,
  MODES,
  OBJECT_KINDS,
  PERMITTED_SCOPES,
  REACHES,
  REVERSIBILITIES,
  TAINTS,
  VERDICTS,
} from '../words.js'

export const DECISION_SCHEMA = 1

/** The source of a reason: those of `judge` in shared/engine, and of decisions without a judgement. */
export const REASON_SOURCES = [
  'malformed',
  'stop',
  'blocklist',
  'flow',
  'mustlist',
  'line',
  'integrity',
  'irreversible',
  'hazard',
  'forward',
  'confirmation',
  'unlabelled',
  'approval',
] as const

const reasonEffectSchema = z
  .object({
    act: z.enum(EFFECT_ACTS),
    object: z.enum(OBJECT_KINDS).optional().describe('The kind of the object.'),
    reach: z.enum(REACHES).optional(),
    certainty: z
      .enum(CERTAINTIES)
      .describe('`incomplete`: the step may do the same to more than this object.'),
    fingerprint: z.string().optional().describe("Of the object's first name."),
    at: z.int().describe('The place of the effect among those of the step, from 0.'),
    why: z.enum(['not_asked', 'not_named']).describe('What the task lacks: the act, or the object.'),
  })
  .describe('What the step does that this reason is about. Clients that have the arguments name the object.')
export type ReasonEffect = z.infer<typeof reasonEffectSchema>

const reasonSchema = z.object({
  source: z.enum(REASON_SOURCES),
  code: z
    .string()
    .describe(
      'Machine-readable: a spec id, an error code, or a code of the source such as `outgoing_after_sensitive`.',
    ),
  verdict: z.enum(VERDICTS),
  message: z.string(),
  effect: reasonEffectSchema.optional(),
  requirements: z.array(z.string()).optional().describe('The requirements behind the spec.'),
  liftedBy: z
    .string()
    .optional()
    .describe(
      'The allowlist spec, or `approval:<who>`, that lifted this reason: it is listed but does not count.',
    ),
})

const provenanceSchema = z
  .object({
    values: z
      .int()
      .describe('Distinctive values in the arguments: addresses, accounts, URLs, paths, ids, names.'),
    task: z.int().describe('Those that are also in the task.'),
    trusted: z.int().describe('Seen in a trusted result.'),
    untrusted: z.int().describe('Seen in untrusted results only.'),
    instructions: z
      .int()
      .describe(
        'Seen in text that reads like instructions, and neither in the task nor in a trusted result.',
      ),
    sensitive: z.int().describe('Seen in sensitive data.'),
    nowhere: z.int().describe('Never seen before.'),
  })
  .describe('Sources of the distinctive values; one value may count several times.')
export type Provenance = z.infer<typeof provenanceSchema>

const riskSchema = z.object({
  category: z.string().describe("The category of the chain: the session's own, or `aggregate`."),
  exposure: z.enum(EXPOSURES),
  escalation: z.enum(ESCALATIONS),
  reversibility: z.enum(REVERSIBILITIES),
  level: z.enum(LEVELS).describe('Running maximum of the cascade.'),
  taint: z.enum(TAINTS),
  hazard: z.number().describe('p1: probability that this step is itself the violation.'),
  horizon: z.int().describe('Steps that `probability` looks ahead, including this one.'),
  probability: z.number().describe('P(violated within `horizon` steps).'),
  stepsToViolation: z
    .number()
    .nullable()
    .describe(
      'Mean number of steps to the violation given that one happens; null if none was ever observed from here.',
    ),
  pointOfNoReturn: z
    .int()
    .optional()
    .describe(
      'Present where the session is at a point of no return after this step: the number of further steps, at most `horizon`, within which a violation is more likely than not.',
    ),
  band: z.int().describe('0–3: how many forward thresholds `probability` has crossed, with hysteresis.'),
  violations: z.int().describe('Actual violations: steps that ran although they were blocked.'),
  withoutVerdict: z.int().describe('Steps that ran without a verdict.'),
  blocked: z.int().describe('Proposals that were blocked.'),
  basis: z
    .enum(['labels'])
    .optional()
    .describe(
      '`labels`: the session has reported no fingerprints and no signals so far, so `hazard` and `probability` use labels only. Absent otherwise.',
    ),
  evidence: z
    .enum(EVIDENCES)
    .optional()
    .describe(
      'Whether sensitive data that was read is in the arguments. Present if the step reported fingerprints.',
    ),
  provenance: provenanceSchema.optional().describe('Present if the step reported fingerprints.'),
})

const versionsSchema = z.object({
  bundle: z.string(),
  policy: z.string(),
  catalogue: z.string(),
})
/** The documents a session is pinned to, each by its version. */
export type Versions = z.infer<typeof versionsSchema>

const approvalSchema = z.object({
  capability: z.enum(CAPABILITIES).describe("The step's own, by its labels."),
  reversibility: z.enum(REVERSIBILITIES).describe("The step's own, by its labels."),
  isLabelled: z.boolean().describe('False if no catalogue and no client labels the tool.'),
  acts: z.array(z.enum(ACTS)).describe('Irreversible acts that the client found in its name and arguments.'),
  scopes: z
    .array(z.enum(PERMITTED_SCOPES))
    .min(1)
    .describe('The scopes that the policy permits for its approval.'),
  always: z
    .object({
      arguments: z.enum(['same', 'any']).describe('Of the later steps that it covers.'),
      days: z.int().min(1).describe('How long it counts.'),
    })
    .optional()
    .describe('The terms of the scope `always`; present if it is permitted.'),
})

/**
 * A reader drops members that it does not know, at every level: so an older client or gateway reads the decisions of a newer monitor. A
 * change that a reader must not miss is another schema number.
 */
export const decisionSchema = z.object({
  schema: z.literal(DECISION_SCHEMA),
  id: z.string(),
  kind: z
    .enum(DECISION_KINDS)
    .describe(
      '`alert` answers no step and no client waits for it: an obligation is overdue, or unpaid at the end of its session. Agents skip it.',
    ),
  sessionId: z.string(),
  tenant: z.string(),
  mode: z.enum(MODES).describe('`observe`: clients do not wait; the step runs whatever the verdict.'),
  eventId: z.string().describe('The event that this decision answers.'),
  callId: z
    .string()
    .describe('Empty in an `alert` about no single step; so are `tool` and `argumentsDigest`.'),
  tool: z.string(),
  argumentsDigest: z.string(),
  verdict: z.enum(VERDICTS),
  reasons: z.array(reasonSchema),
  alternative: z
    .string()
    .optional()
    .describe(
      'A safer alternative, from a spec or by the kind of step: always present for `confirm` and `block`; for `warn` if a spec has one.',
    ),
  waitFor: z.array(z.string()).optional().describe('Call ids to await before proposing again.'),
  expectedSeq: z
    .int()
    .optional()
    .describe("For a refusal of an event out of order: the producer's number that comes next."),
  expiresAt: z
    .int()
    .optional()
    .describe(
      "For `confirm`: when the approval request expires, milliseconds since 1970 on the log's clock.",
    ),
  approval: approvalSchema
    .optional()
    .describe('For `confirm` in mode `enforce`: what an approver needs to know of the step.'),
  risk: riskSchema
    .optional()
    .describe("Absent if the session's state could not be read, and in alerts, which concern no step."),
  versions: versionsSchema
    .extend({ engine: z.string() })
    .optional()
    .describe("Absent if the session's state could not be read. `engine` is the version of the engine."),
  facts: z.record(z.string(), z.unknown()).describe('Inputs of the engine from outside the session.'),
  memory: z
    .enum(['seeded'])
    .optional()
    .describe(
      '`seeded`: the session was moved to this policy while it ran, and the specs know its earlier steps from its record only.',
    ),
  step: z
    .int()
    .describe('Number of the step in the session, from 1; 0 for a refusal; for an alert, steps so far.'),
  time: z.int().describe('Append time of the event answered, milliseconds since 1970.'),
})

export type Decision = z.infer<typeof decisionSchema>
export type Reason = z.infer<typeof reasonSchema>
export type ReasonSource = Reason['source']
export type Risk = z.infer<typeof riskSchema>
