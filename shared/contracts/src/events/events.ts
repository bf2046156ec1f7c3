import { z } from 'zod'
import { identityTokenSchema } from '../identity/token.js'
import { digestSchema, idSchema, lineSchema, toolNameSchema } from '../ids.js'
import { claimedLabelsSchema, evidenceSchema, toolLabelsSchema } from '../policy/catalogue.js'
import { specIdSchema } from '../policy/spec.js'
import { APPROVAL_SCOPES, TAINTS } from '../words.js'
import { appealedSchema } from './appealed.js'
import { dueSchema } from './due.js'
import { effectsSchema } from './effects.js'
import { envelope } from './envelope.js'
import {
  fingerprintsSchema,
  recordsSchema,
  resultFingerprintsSchema,
  followsSchema,
  limitsSchema,
  linkSchema,
  messagesSchema,
  recipientsSchema,
  scriptSchema,
} from './fingerprints.js'
import { inheritsSchema } from './inheritance.js'
import { giftSchema, payeesSchema } from './payees.js'
import { signalsSchema } from './signals.js'

/** The category that a client found in a task without a declared one. The task's text stays with the client. */
const foundCategorySchema = z.strictObject({
  category: lineSchema(64),
  confidence: z.number().min(0).max(1).describe('How sure the client is, by the words of the task.'),
})
export type FoundCategory = z.infer<typeof foundCategorySchema>

const stepWithoutVerdictSchema = z.strictObject({
  callId: idSchema,
  tool: toolNameSchema,
  labels: claimedLabelsSchema.optional(),
})

const startedSchema = z.strictObject({
  ...envelope,
  type: z.literal('session.started'),
  category: lineSchema(64).optional().describe('Declared at the start of the session.'),
  found: foundCategorySchema
    .optional()
    .describe(
      'The category found in the task if none is declared. It can make the session stricter, never less strict.',
    ),
  agent: idSchema.optional(),
  task: z.string().max(8192).optional(),
  fingerprints: fingerprintsSchema
    .optional()
    .describe("Fingerprints of the task's distinctive values and words."),
  limits: limitsSchema.optional().describe('Limits that the task sets to what the session changes.'),
  follows: followsSchema,
  payees: payeesSchema,
  signals: signalsSchema
    .optional()
    .describe("Signals of the task and, for a session that inherits, of the related session's results."),
  root: idSchema
    .optional()
    .describe(
      'The session at the root of all delegation, whose fingerprint key its related sessions share; by default the session itself.',
    ),
  inherits: inheritsSchema
    .optional()
    .describe('The state inherited from the delegating session: no session starts safer than that.'),
  identity: identityTokenSchema
    .optional()
    .describe(
      "The session's identity, signed with the identity key; monitors that require identities refuse it without.",
    ),
})

const instructedSchema = z.strictObject({
  ...envelope,
  type: z.literal('session.instructed'),
  task: z.string().max(8192).optional().describe("The message's text, if its owner opts in."),
  fingerprints: fingerprintsSchema
    .optional()
    .describe("Fingerprints of the message's distinctive values and words."),
  limits: limitsSchema.optional().describe('Limits that the message sets or lifts.'),
  follows: followsSchema,
  payees: payeesSchema,
  signals: signalsSchema.optional().describe('Signals of the message.'),
})

const proposedSchema = z.strictObject({
  ...envelope,
  type: z.literal('step.proposed'),
  callId: idSchema,
  tool: toolNameSchema,
  argumentsDigest: digestSchema.describe(
    "Keyed digest of the arguments' canonical JSON, equal for equal arguments of a session; approvals are bound to it.",
  ),
  arguments: z
    .record(z.string(), z.unknown())
    .optional()
    .describe(
      'The disclosed arguments; others are left out. Expressions of policies read them, and approvers see them.',
    ),
  argumentsSalt: digestSchema
    .optional()
    .describe(
      "Present if `arguments` are complete: `argumentsDigest` is the SHA-256, in hex, of this salt followed by the SHA-256, in hex, of the arguments' canonical JSON. It proves to an approver that nothing is left out.",
    ),
  labels: claimedLabelsSchema.optional(),
  evidence: evidenceSchema.optional(),
  fingerprints: fingerprintsSchema
    .optional()
    .describe(
      "Fingerprints of the arguments' distinctive values and text, and of words that describe the tool.",
    ),
  addressed: fingerprintsSchema
    .optional()
    .describe(
      'For a reversible request or a payment: those of `fingerprints` that are whole arguments naming its subject (a recipient, an account, an id, a link; of a request that only reads also a folder or a repository), and are in no other argument. They do not count as content.',
    ),
  link: linkSchema,
  recipients: recipientsSchema,
  files: z
    .array(fingerprintsSchema.min(1).max(4))
    .min(1)
    .max(4)
    .optional()
    .describe(
      'For each file that the step takes along, if all are known: fingerprints of its names. What the session fetched from a public page holds nothing that it read.',
    ),
  gives: giftSchema,
  effects: effectsSchema
    .optional()
    .describe(
      'What the step does that cannot be taken back, and to what, as far as it is known. A task that asks for such an act asks for this one only if it has a name of the object.',
    ),
  objects: z
    .array(fingerprintsSchema)
    .max(8)
    .optional()
    .describe(
      'From clients of before `effects`: for each thing that an irreversible act is done to, fingerprints of its names.',
    ),
  changes: z
    .array(fingerprintsSchema)
    .max(8)
    .optional()
    .describe(
      'For each thing that the step changes, and for its acts, as far as they are known: fingerprints of names, by which `limits` forbid it or not.',
    ),
  made: fingerprintsSchema
    .max(8)
    .optional()
    .describe(
      "Fingerprints of what the step makes, such as folders. Once it completes with `ok` they are the session's own: effects on nothing else need no approval.",
    ),
  scripts: z
    .array(scriptSchema)
    .max(4)
    .optional()
    .describe(
      'Scripts that the step writes: once it completes with `ok`, a step that `runs` one does what the script does.',
    ),
  runs: fingerprintsSchema
    .max(4)
    .optional()
    .describe('Fingerprints of the names of scripts that the step runs.'),
  runFiles: z
    .array(fingerprintsSchema.max(4))
    .max(4)
    .optional()
    .describe(
      'For each of `runs`: what a task may call its file; nothing for a target. A task that names the file knows what a script does that the session has only read.',
    ),
  programs: z
    .array(fingerprintsSchema)
    .max(4)
    .optional()
    .describe(
      'Files of programs that the step runs, by fingerprints of their names, if they are all of it that was not understood. The user knows those that the task names.',
    ),
  signals: signalsSchema.optional().describe('Signals of the arguments.'),
  withoutVerdict: z
    .array(stepWithoutVerdictSchema)
    .max(16)
    .optional()
    .describe('Steps that ran (or may have run) without a verdict, reported with the next step.'),
  inherits: inheritsSchema
    .optional()
    .describe('State inherited from related sessions meanwhile: it counts before the step is judged.'),
})

const completedSchema = z.strictObject({
  ...envelope,
  type: z.literal('step.completed'),
  callId: idSchema,
  tool: toolNameSchema,
  argumentsDigest: digestSchema
    .optional()
    .describe('Digest of the arguments that ran: if it differs from the proposed one, another step ran.'),
  outcome: z.enum(['ok', 'error']),
  labels: claimedLabelsSchema
    .optional()
    .describe('Labels of the result: they can raise exposure and taint, never lower them.'),
  taint: z.enum(TAINTS).optional(),
  fingerprints: resultFingerprintsSchema.optional().describe("Fingerprints of the result's values and text."),
  instructed: fingerprintsSchema
    .optional()
    .describe('Fingerprints of the parts of the result that read like instructions.'),
  linkParts: fingerprintsSchema
    .max(32)
    .optional()
    .describe('Parts of the links in the result, each with its host.'),
  messages: messagesSchema,
  payees: payeesSchema,
  records: recordsSchema,
  scripts: z
    .array(scriptSchema)
    .max(4)
    .optional()
    .describe(
      'Scripts whose text the result shows, if it does something beyond the own project: a step that `runs` one does what the script does, unless the task names its file.',
    ),
  signals: signalsSchema.optional().describe('Signals of the result.'),
  inherits: inheritsSchema
    .optional()
    .describe('The state of the sub-agent that the step delegated to, if it is reported.'),
})

const endedSchema = z.strictObject({
  ...envelope,
  type: z.literal('session.ended'),
  outcome: z.enum(['completed', 'failed', 'cancelled']).optional(),
})

const approvalSchema = z.strictObject({
  ...envelope,
  type: z.literal('approval.resolved'),
  decisionId: z.string().min(1).max(400).describe('The decision that requested approval.'),
  argumentsDigest: digestSchema.describe('Digest of the arguments that were shown.'),
  expiresAt: z
    .int()
    .min(0)
    .describe(
      'The `expiresAt` of that decision: the answer counts for this request only, not for a later one.',
    ),
  resolution: z.enum(['approved', 'denied']),
  scope: z
    .enum(APPROVAL_SCOPES)
    .optional()
    .describe('What the approval counts for, within what the policy permits. Default: `once`.'),
  by: lineSchema(200),
  reason: z.string().max(2000).optional(),
  signature: digestSchema.describe(
    "HMAC-SHA-256 in hex by the deployment's key over the canonical JSON of everything else in the record.",
  ),
})

const revokedSchema = z.strictObject({
  ...envelope,
  type: z.literal('approval.revoked'),
  approval: idSchema.describe('The id of the event that approved: it lifts nothing from now on.'),
  by: lineSchema(200).describe('The person who revoked it.'),
  reason: lineSchema(2000).optional(),
  signature: digestSchema,
})

const deadlineSchema = z.strictObject({
  ...envelope,
  type: z.literal('deadline.reached'),
  due: dueSchema.describe("The deadline, with the data of the session's record."),
  dueAt: z.int().min(0).describe("Milliseconds since 1970 on the log's clock."),
  signature: digestSchema,
})

/** How a judge's labels take effect. Source: docs/explanation/labels.md. */
export const REFINEMENTS = ['raise', 'replace'] as const
export type Refinement = (typeof REFINEMENTS)[number]

const refinedSchema = z.strictObject({
  ...envelope,
  type: z.literal('labels.refined'),
  decisionId: z.string().min(1).max(400).describe('The decision that reported the tool as unlabelled.'),
  callId: idSchema.describe('The step of that decision: if it has run, the session is raised.'),
  tool: toolNameSchema,
  labels: toolLabelsSchema,
  effect: z
    .enum(REFINEMENTS)
    .describe(
      "For later steps with the tool: `raise` the policy's labels for unlabelled tools, or `replace` them.",
    ),
  by: lineSchema(200).describe('The name of the judging model.'),
  reason: lineSchema(500).optional(),
  signature: digestSchema,
})

const labelledSchema = z.strictObject({
  ...envelope,
  type: z.literal('session.labelled'),
  violated: z.boolean().describe("Whether the session did harm, by a human's review."),
  callId: idSchema
    .optional()
    .describe('The step that did it, if known; without it the label covers the whole session only.'),
  by: lineSchema(200).describe('The reviewer.'),
  reason: lineSchema(2000).optional(),
  signature: digestSchema,
})

const grantedSchema = z.strictObject({
  ...envelope,
  type: z.literal('declassification.granted'),
  spec: specIdSchema.describe(
    "The flow spec of the session's policy that is declassified: data read so far no longer counts for it.",
  ),
  by: lineSchema(200).describe('The person who granted it.'),
  reason: lineSchema(2000),
  signature: digestSchema,
})

/** Every event that can change a verdict in one session; controls.ts has those for many sessions. */
export const eventSchema = z.discriminatedUnion('type', [
  startedSchema,
  instructedSchema,
  proposedSchema,
  completedSchema,
  endedSchema,
  approvalSchema,
  revokedSchema,
  deadlineSchema,
  refinedSchema,
  labelledSchema,
  appealedSchema,
  grantedSchema,
])

export type Event = z.infer<typeof eventSchema>
export type EventType = Event['type']
export type EventOf<T extends EventType> = Extract<Event, { type: T }>

/** Events that only the deployment itself may write; each carries a signature. */
export const INTERNAL_EVENTS = [
  'approval.resolved',
  'approval.revoked',
  'deadline.reached',
  'labels.refined',
  'session.labelled',
  'decision.appealed',
  'declassification.granted',
] as const satisfies readonly EventType[]
export type InternalEvent = EventOf<(typeof INTERNAL_EVENTS)[number]>
