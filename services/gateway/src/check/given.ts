/** The members of `told` that are there: what is left out of a body is left out of what is made of it. */
export function given<T extends object>(told: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const members = Object.entries(told).filter(([, value]) => value !== undefined)
  return Object.fromEntries(members) as { [K in keyof T]?: Exclude<T[K], undefined> }
}
