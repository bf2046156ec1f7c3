const GOLDEN = 0.618034

/**
 * Visits 0…count-1 until `visit` gives false: in order where all find room, else spread, so that whichever come first are from
 * everywhere and none can be crowded out by what stands before it.
 */
export function inSpreadOrder(count: number, room: number, visit: (index: number) => boolean): void {
  const step = count <= room ? 1 : coprimeStep(count)
  for (let i = 0, index = 0; i < count; i++, index = (index + step) % count) if (!visit(index)) return
}

function coprimeStep(count: number): number {
  let step = Math.max(1, Math.round(count * GOLDEN))
  while (divisorOf(step, count) !== 1) step++
  return step
}

function divisorOf(a: number, b: number): number {
  return b === 0 ? a : divisorOf(b, a % b)
}
