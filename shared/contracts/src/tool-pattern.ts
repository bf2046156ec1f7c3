/**
 * Whether `name` matches `pattern`, in which `*` stands for any run of characters (none too) and everything else for itself.
 * Linear in practice and never more than |pattern| × |name|: only the last `*` is ever tried again.
 *
 * @example matchesTool('mcp__*__send_*', 'mcp__mail__send_email') // true
 */
export function matchesTool(pattern: string, name: string): boolean {
  let at = 0
  let star = -1
  let resume = 0
  let i = 0
  while (i < name.length) {
    if (pattern[at] === '*') {
      star = at++
      resume = i
    } else if (pattern[at] === name[i]) {
      at++
      i++
    } else if (star >= 0) {
      at = star + 1
      i = ++resume
    } else return false
  }
  while (pattern[at] === '*') at++
  return at === pattern.length
}
