import type { Catalogue } from '@plimsoll/contracts'
import { isReadByName, labelTool } from './label-tool.js'

const NO_CATALOGUE: Catalogue = { schema: 1, kind: 'plimsoll.catalogue', name: 'none', tools: [] }

/** Tools repeat, so what their names say is kept for this many. */
const TOOLS_MAX = 1_024
const known = new Map<string, 'sensitive' | 'credentials' | undefined>()

/** How sensitive a tool's results are by its name, if it plainly reads: `get_bank_statement`. Undefined where nothing says so. */
export function sensitiveByName(tool: string): 'sensitive' | 'credentials' | undefined {
  if (known.has(tool)) return known.get(tool)
  const value = isReadByName(tool)
    ? labelTool({ name: tool }, NO_CATALOGUE).perLabel.confidentiality.value
    : undefined
  const found = value === 'sensitive' || value === 'credentials' ? value : undefined
  if (known.size >= TOOLS_MAX) known.clear()
  known.set(tool, found)
  return found
}
