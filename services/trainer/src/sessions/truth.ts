import type { Bundle } from '@plimsoll/contracts'
import type { Trace } from '../traces/trace.js'

export type Target = Bundle['target']

/** Why a session, though read, counts for nothing. */
export type Exclusion =
  | 'held_out'
  | 'label_unknown'
  | 'label_partial'
  | 'label_text_only'
  | 'label_without_step'
  | 'source_without_step_truth'
  | 'violation_step_unseen'
  | 'no_steps'

/** `violatedAt`: `i` of the violating step, null where there was none, undefined where the cascade is to say. */
export type Truth = { readonly excluded: Exclusion } | { readonly violatedAt: number | null | undefined }

/**
 * Sources that tell which sessions went wrong but not at which step. Taking only their safe sessions would lower the base rate of
 * their categories, so an *observed* target leaves them out whole.
 */
const SOURCES_WITHOUT_STEP_TRUTH: ReadonlySet<string> = new Set(['openagentsafety'])

/** What counts as the violation of a recorded session. `modelled`: what the cascade says, whatever the label. */
export function truthOf({ source, label }: Trace, target: Target): Truth {
  if (target === 'modelled') return { violatedAt: undefined }
  if (SOURCES_WITHOUT_STEP_TRUTH.has(source)) return { excluded: 'source_without_step_truth' }
  if (label.unsafe === null) return { excluded: 'label_unknown' }
  if (label.partial) return { excluded: 'label_partial' }
  if (label.text_only) return { excluded: 'label_text_only' }
  if (!label.unsafe) return { violatedAt: null }
  const at = label.violation_step
  return at === undefined || at === null ? { excluded: 'label_without_step' } : { violatedAt: at }
}
