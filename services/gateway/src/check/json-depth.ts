const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPENING: ReadonlySet<number> = new Set([0x5b, 0x7b])
const CLOSING: ReadonlySet<number> = new Set([0x5d, 0x7d])

/**
 * How deep lists and objects lie in one another in JSON in UTF-8. Of what is no JSON it says anything. Linear, and of constant memory: it
 * is asked before anything that goes down with them.
 */
export function depthOfJson(json: Uint8Array): number {
  let depth = 0
  let deepest = 0
  let isText = false
  for (let i = 0; i < json.length; i++) {
    const byte = json[i] ?? 0
    if (isText) {
      if (byte === BACKSLASH) i++
      else if (byte === QUOTE) isText = false
    } else if (byte === QUOTE) isText = true
    else if (OPENING.has(byte)) deepest = Math.max(deepest, ++depth)
    else if (CLOSING.has(byte)) depth--
  }
  return deepest
}
