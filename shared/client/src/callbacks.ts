/** `callback`, whose own errors are its owner's: they become a process warning and touch nothing here. */
export function shielded<A extends unknown[]>(
  name: string,
  callback: ((...args: A) => void) | undefined,
): (...args: A) => void {
  if (!callback) return () => {}
  return (...args) => {
    try {
      callback(...args)
    } catch (error) {
      process.emitWarning(
        `plimsoll: \`${name}\` threw: ${error instanceof Error ? error.message : String(error)}`,
      )
    }
  }
}
