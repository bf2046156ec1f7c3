import {
  CAPABILITIES,
  CONFIDENTIALITY_LABELS,
  REVERSIBILITIES,
  TRUSTS,
  type ToolLabels,
} from '@plimsoll/contracts'
import { labelTool, worseBy, type LabelName, type LabelValues } from '@plimsoll/labels'
import { z } from 'zod'

const answerSchema = z.object({
  capability: z.enum(CAPABILITIES),
  confidentiality: z.enum(CONFIDENTIALITY_LABELS),
  trust: z.enum(TRUSTS),
  reversibility: z.enum(REVERSIBILITIES),
  reason: z.string(),
})
export type Answer = z.infer<typeof answerSchema>

const REASON_MAX = 300

/** JSON Schema of the answer: every member required and no other allowed, as strict structured output requires. */
export const ANSWER_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  required: ['reason', 'capability', 'confidentiality', 'trust', 'reversibility'],
  properties: {
    reason: { type: 'string', description: 'One short sentence.' },
    capability: { type: 'string', enum: CAPABILITIES },
    confidentiality: { type: 'string', enum: CONFIDENTIALITY_LABELS },
    trust: { type: 'string', enum: TRUSTS },
    reversibility: { type: 'string', enum: REVERSIBILITIES },
  },
} as const

/** Validates a model's answer; undefined if it is invalid. The reason becomes one short line without control characters. */
export function parseAnswer(value: unknown): Answer | undefined {
  const parsed = answerSchema.safeParse(value)
  if (!parsed.success) return undefined
  const reason = parsed.data.reason.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu, ' ').trim()
  return { ...parsed.data, reason: Array.from(reason).slice(0, REASON_MAX).join('') }
}

/** Confidence of a name's label from which it raises an answer, 0…1. */
const SURE = 0.5

/** Raises each label of `answer` to that of the words in the tool's name: a persuaded model cannot lower it below the name. */
export function notMilderThanItsName(tool: string, answer: Answer): Answer {
  const { perLabel } = labelTool({ name: tool })
  const raised = <K extends LabelName>(label: K, said: LabelValues[K]): LabelValues[K] => {
    const { value, source, confidence } = perLabel[label]
    const counts = source === 'heuristics' && confidence >= SURE && worseBy(label, value, said) > 0
    return counts ? value : said
  }
  return {
    capability: raised('capability', answer.capability),
    confidentiality: raised('confidentiality', answer.confidentiality),
    trust: raised('trust', answer.trust),
    reversibility: raised('reversibility', answer.reversibility),
    reason: answer.reason,
  }
}

/** An answer as labels of the contracts. */
export function labelsOf({ capability, confidentiality, trust, reversibility }: Answer): ToolLabels {
  return {
    capability,
    ...(confidentiality !== 'none' && { confidentiality }),
    trust,
    reversibility,
  }
}
