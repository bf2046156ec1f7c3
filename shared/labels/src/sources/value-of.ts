import type { ToolLabels } from '@plimsoll/contracts'
import type { LabelName, LabelValues } from './claim.js'

/** A label of a document, where what is left out is nothing of note, from a trusted source. */
export const valueOf = <K extends LabelName>(labels: ToolLabels, label: K): LabelValues[K] =>
  ({ confidentiality: 'none', trust: 'trusted', ...labels })[label] as LabelValues[K]
