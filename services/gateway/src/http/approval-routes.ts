import {
  type HttpApprovalAnswered,
  type HttpApprovals,
  PlimsollError,
  httpAppealSchema,
  httpApprovalAnswerSchema,
  httpApprovalAnsweredSchema,
  httpApprovalListSchema,
  httpApprovalsSchema,
} from '@plimsoll/contracts'
import type { OpenApprovals } from '../sessions/open-approvals.js'
import { type Caller, type Route, defineRoute, present } from './route.js'

/** The approval queue, for principals that may approve. */
export const APPROVAL_ROUTES: readonly Route[] = [
  defineRoute({
    path: '/v1/approvals/list',
    name: 'listApprovals',
    summary: 'List open approval requests',
    description:
      'Of the tenant, since this gateway started. For principals with `approves: true`. Arguments are shown if this gateway has seen them: not of clients that keep texts to themselves.',
    body: httpApprovalListSchema,
    reply: httpApprovalsSchema,
    answer: async (_, caller): Promise<HttpApprovals> => ({
      approvals: [...queueFor(caller).list(caller.principal.tenant)],
    }),
  }),
  defineRoute({
    path: '/v1/approvals/answer',
    name: 'answerApproval',
    summary: 'Approve or deny a step',
    description:
      'Publishes the answer, signed with the key of the deployment, in the name of the principal. The step is judged again: an approval lifts only the reasons that were shown. For principals with `approves: true`.',
    body: httpApprovalAnswerSchema,
    reply: httpApprovalAnsweredSchema,
    answer: async ({ decisionId, resolution, reason, scope }, caller): Promise<HttpApprovalAnswered> => {
      const { name, tenant } = caller.principal
      const approval = { resolution, by: name, ...present({ reason, scope }) }
      return present({ decision: await queueFor(caller).answer(tenant, decisionId, approval) })
    },
  }),
  defineRoute({
    path: '/v1/appeals',
    name: 'appeal',
    summary: 'Say that a decision was wrong',
    description:
      'Publishes it, signed with the key of the deployment, in the name of the principal. It changes no verdict: `plimsoll observed` counts it, and a fit reads it. For principals with `approves: true`, of what was stopped or asked since this gateway started.',
    body: httpAppealSchema,
    reply: undefined,
    answer: async ({ decisionId, expected, reason }, caller): Promise<undefined> => {
      const { name, tenant } = caller.principal
      await queueFor(caller).appeal(tenant, decisionId, { by: name, expected, reason })
    },
  }),
]

/** Throws `forbidden` unless the principal may approve. An agent never may, whatever its file says. */
function queueFor({ principal, approvals }: Caller): OpenApprovals {
  if (principal.approves !== true || principal.trust === 'agent')
    throw new PlimsollError(
      'forbidden',
      `\`${principal.name}\` may not approve: set \`approves: true\` in the file of principals`,
    )
  if (approvals) return approvals
  throw new PlimsollError('approval_unknown', 'this gateway has no approval queue')
}
