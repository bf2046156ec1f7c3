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

/** The answer's schema as models are told it: every member required and no other, as strict structured output demands. */
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

/** What a model said, checked; undefined where it is no answer. Its reason becomes one short line without control characters. */
export function parseAnswer(value: unknown): Answer | undefined {
  const parsed = answerSchema.safeParse(value)
  if (!parsed.success) return undefined
  const reason = parsed.data.reason.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu, ' ').trim()
  return { ...parsed.data, reason: Array.from(reason).slice(0, REASON_MAX).join('') }
}

/** How sure a word of the tool's name has to be to raise an answer, 0…1. */
const SURE = 0.5

/** `answer`, each label raised to what the words of the tool's own name say: anyone who talks a model into something still has to name it. */
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

/** An answer in the words of the contracts. */
export function labelsOf({ capability, confidentiality, trust, reversibility }: Answer): ToolLabels {
  return {
    capability,
    ...(confidentiality !== 'none' && { confidentiality }),
    trust,
    reversibility,
  }
}
