export type Arguments = Readonly<Record<string, unknown>>

/** The object that `json` holds, which nobody can change: what is asked about is what runs. */
export function frozen(json: string): Arguments {
  return freeze(JSON.parse(json) as Arguments)
}

function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  for (const member of Object.values(value)) freeze(member)
  return Object.freeze(value)
}
