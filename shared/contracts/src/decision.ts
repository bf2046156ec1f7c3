import { z } from 'zod'
import { DECISION_KINDS } from './ids.js'
import { ESCALATIONS, EXPOSURES, LEVELS, MODES, REVERSIBILITIES, TAINTS, VERDICTS } from './words.js'

export const DECISION_SCHEMA = 1

/** Where a reason comes from, in the order in which they are judged. Source: DESIGN §4. */
export const REASON_SOURCES = [
  'malformed',
  'stop',
  'blocklist',
  'flow',
  'mustlist',
  'line',
  'hazard',
  'forward',
  'confirmation',
  'unlabelled',
  'approval',
] as const

const reasonSchema = z.strictObject({
  source: z.enum(REASON_SOURCES),
  /** Machine-readable: a spec id, an error code, or a name of the source's own such as `outgoing_after_sensitive`. */
  code: z.string(),
  verdict: z.enum(VERDICTS),
  message: z.string(),
  /** The requirements behind the spec. */
  requirements: z.array(z.string()).optional(),
  /** The allowlist spec, or `approval:<who>`, that lifted this reason: it is listed and counts no more. */
  liftedBy: z.string().optional(),
})

const riskSchema = z.strictObject({
  /** The category whose chain was read: the session's own, or `aggregate`. */
  category: z.string(),
  exposure: z.enum(EXPOSURES),
  escalation: z.enum(ESCALATIONS),
  reversibility: z.enum(REVERSIBILITIES),
  /** Running maximum of the cascade. */
  level: z.enum(LEVELS),
  taint: z.enum(TAINTS),
  /** p1: probability that this step is itself the violation. */
  hazard: z.number(),
  /** Steps ahead that `probability` looks, this step included. */
  horizon: z.int(),
  /** P(violated within `horizon` steps). */
  probability: z.number(),
  /** Mean steps until the violation, given that one comes; null where none was ever seen from here. */
  stepsToViolation: z.number().nullable(),
  /** 0–3: how many forward thresholds `probability` has crossed, with hysteresis. */
  band: z.int(),
  /** Violations that did happen: steps that ran although they were blocked. */
  violations: z.int(),
  /** Steps that ran without having been judged. */
  unjudged: z.int(),
  /** Proposals that were blocked. */
  blocked: z.int(),
})

export const versionsSchema = z.strictObject({
  bundle: z.string(),
  policy: z.string(),
  catalogue: z.string(),
})
/** The documents a session is pinned to, each by its version. */
export type Versions = z.infer<typeof versionsSchema>

export const decisionSchema = z.strictObject({
  schema: z.literal(DECISION_SCHEMA),
  id: z.string(),
  kind: z.enum(DECISION_KINDS),
  sessionId: z.string(),
  tenant: z.string(),
  /** `observe`: nobody is to wait for the verdict, the step runs whatever it is. */
  mode: z.enum(MODES),
  /** The event that this decision answers. */
  eventId: z.string(),
  callId: z.string(),
  tool: z.string(),
  argumentsDigest: z.string(),
  verdict: z.enum(VERDICTS),
  reasons: z.array(reasonSchema),
  /** Something safer that would do, where a spec names it. */
  alternative: z.string().optional(),
  /** Call ids to await before proposing again. */
  waitFor: z.array(z.string()).optional(),
  /** For a refusal of an event out of order: the producer's number that comes next. */
  expectedSeq: z.int().optional(),
  /** For `confirm`: when an approval comes too late, milliseconds since 1970 on the log's clock. */
  expiresAt: z.int().optional(),
  /** Absent where the session's state could not be read. */
  risk: riskSchema.optional(),
  /** Absent for the same reason. `engine` is the engine's own version. */
  versions: versionsSchema.extend({ engine: z.string() }).optional(),
  /** What the engine was told from outside the session. */
  facts: z.record(z.string(), z.unknown()),
  /** Number of the step in the session, from 1; 0 for a refusal. */
  step: z.int(),
  /** Append time of the event answered, milliseconds since 1970. */
  time: z.int(),
})

export type Decision = z.infer<typeof decisionSchema>
export type Reason = z.infer<typeof reasonSchema>
export type ReasonSource = Reason['source']
export type Risk = z.infer<typeof riskSchema>
