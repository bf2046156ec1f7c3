import { z } from 'zod'
import { decisionSchema } from '../decision/decision.js'
import { lineSchema } from '../ids.js'
import { EXPECTED_VERDICTS } from '../events/appealed.js'
import { APPROVAL_SCOPES } from '../words.js'

/** Requests and responses of the approval queue over HTTP. Source: docs/reference/http.md. */

const decisionIdSchema = z.string().min(1).max(400).describe('The decision that requested approval.')

export const httpApprovalSchema = z.strictObject({
  decisionId: decisionIdSchema,
  sessionId: z.string(),
  tool: z.string(),
  message: z.string().describe('The reasons, and what the step may destroy.'),
  lines: z
    .array(z.string())
    .describe('The step for a human, with its arguments; empty if another process has them.'),
  scopes: z.array(z.enum(APPROVAL_SCOPES)).describe('The scopes that the policy permits.'),
  expiresAt: z.int().describe("Milliseconds since 1970 on the log's clock."),
})
export type HttpApproval = z.infer<typeof httpApprovalSchema>

export const httpApprovalListSchema = z.strictObject({})
export const httpApprovalsSchema = z.strictObject({
  approvals: z.array(httpApprovalSchema).describe('Open requests, the first to expire first.'),
})
export type HttpApprovals = z.infer<typeof httpApprovalsSchema>

export const httpApprovalAnswerSchema = z.strictObject({
  decisionId: decisionIdSchema,
  resolution: z.enum(['approved', 'denied']),
  reason: lineSchema(500).optional(),
  scope: z.enum(APPROVAL_SCOPES).optional().describe('One of the request. Default: `once`.'),
})

export const httpAppealSchema = z.strictObject({
  decisionId: z.string().min(1).max(400).describe('The decision that was wrong.'),
  expected: z
    .enum(EXPECTED_VERDICTS)
    .optional()
    .describe('What it should have been. Default: `allow` for what was stopped or asked about.'),
  reason: lineSchema(500).optional(),
})

export const httpApprovalAnsweredSchema = z.strictObject({
  decision: decisionSchema
    .optional()
    .describe(
      'The new decision on the step; absent if no monitor decided in time: the answer may still count.',
    ),
})
export type HttpApprovalAnswered = z.infer<typeof httpApprovalAnsweredSchema>
