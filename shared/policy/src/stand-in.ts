import type { ToolLabels } from '@plimsoll/contracts'
import { isReadByName } from '@plimsoll/labels'

/**
 * What a tool is taken for that no catalogue labels: the policy's stand-in. One that by its name plainly reads is taken for a read whose
 * result is what the stand-in's would be.
 */
export const standInOf = (standIn: ToolLabels, tool: string): ToolLabels =>
  isReadByName(tool) ? { ...standIn, capability: 'read', reversibility: 'reversible' } : standIn
