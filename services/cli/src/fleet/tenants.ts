import { PlimsollError, tenantSchema } from '@plimsoll/contracts'

/** The tenants in `a,b`; none where there is no text. Throws `usage_invalid`. */
export function parseTenants(text: string | undefined): readonly string[] {
  const names = text === undefined ? [] : text.split(',').map((name) => name.trim())
  for (const name of names) {
    const parsed = tenantSchema.safeParse(name)
    if (parsed.success) continue
    const problem = parsed.error.issues[0]?.message ?? 'no tenant'
    throw new PlimsollError('usage_invalid', `\`--tenants\`: ${problem}, not \`${name}\``)
  }
  return names
}
