export type Arguments = Readonly<Record<string, unknown>>

/** A copy that nobody can change: what is asked about is what runs. */
export function frozen(values: Arguments): Arguments {
  return freeze(structuredClone(values))
}

function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  for (const member of Object.values(value)) freeze(member)
  return Object.freeze(value)
}
