import type { ToolLabels } from '@plimsoll/contracts'

export const EXPOSURES = ['none', 'public', 'internal', 'sensitive', 'credentials']
export const ESCALATIONS = ['read_only', 'file_write', 'code_exec', 'network']
export const REVERSIBILITIES = ['reversible', 'partial', 'irreversible'] as const
export const TAINTS = ['none', 'data', 'instructions']
export const LEVELS = ['safe', 'mild', 'elevated', 'critical', 'violated']

/** The published rules in their order: least exposure, least escalation, least reversibility, level. */
const RULES = `
  credentials network    irreversible violated
  sensitive   network    irreversible violated
  credentials code_exec  reversible   critical
  sensitive   network    reversible   critical
  credentials read_only  reversible   elevated
  sensitive   code_exec  reversible   elevated
  sensitive   file_write irreversible elevated
  sensitive   file_write reversible   mild
  internal    network    reversible   mild
  sensitive   read_only  reversible   mild
  internal    file_write reversible   mild
  none        read_only  reversible   safe`
  .trim()
  .split('\n')
  .map((line) => line.trim().split(/ +/))

type Triple = Readonly<Record<'exposure' | 'escalation' | 'reversibility', string>>

/** The level of `triple` by the published rules, kept apart from the engine's. */
export function naiveLevel({ exposure, escalation, reversibility }: Triple): string {
  const isAtLeast = (order: readonly string[], value: string, least = '') =>
    order.indexOf(value) >= order.indexOf(least)
  const rule = RULES.find(
    ([d, t, r]) =>
      isAtLeast(EXPOSURES, exposure, d) &&
      isAtLeast(ESCALATIONS, escalation, t) &&
      isAtLeast(REVERSIBILITIES, reversibility, r),
  )
  return rule?.[3] ?? 'safe'
}

/** Labels of an unlabelled tool: of the names in these documents only these are clearly reads. */
export const isPlainlyRead = (tool: string): boolean => /^(read|fetch)_/.test(tool)

export const readOrStandIn = (standIn: ToolLabels, tool: string): ToolLabels =>
  isPlainlyRead(tool) ? { ...standIn, capability: 'read', reversibility: 'reversible' } : standIn
