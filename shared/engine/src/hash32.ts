/** FNV-1a over the first `length` UTF-16 code units of `text`, 32 bits unsigned; `from` continues an earlier hash. */
export function hash32(text: string, from = 0x811c9dc5, length = text.length): number {
  let hash = from
  for (let i = 0; i < length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash >>> 0
}
