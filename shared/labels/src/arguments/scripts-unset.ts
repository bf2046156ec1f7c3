import { longPattern } from '../text/data.js'
/** Characters of a script that are read, and deletions in it. */
const TEXT_MAX = 16_384
const DELETIONS_MAX = 16

/** A deletion of folders whose path begins with a variable: `rm -rf $RELEASES/{}`, `rm -r "${OUT}"/*`. */
const DELETES = longPattern('scripts-unset.DELETES')

/** Variables that every shell or pipeline sets. */
const ALWAYS_SET = longPattern('scripts-unset.ALWAYS_SET')

/** A shell that ends at a variable which nobody has set. */
const STOPS_UNSET = longPattern('scripts-unset.STOPS_UNSET')

/**
 * Whether a script deletes below a variable that it does not set itself, and does not look whether somebody else has: if nobody has, it deletes
 * from the root. O(text × deletions).
 */
export function deletesBelowUnset(script: string): boolean {
  const text = script.slice(0, TEXT_MAX)
  if (STOPS_UNSET.test(text)) return false
  let left = DELETIONS_MAX
  for (const [, plain, braced] of text.matchAll(DELETES)) {
    if ((left -= 1) < 0) return false
    const name = plain ?? braced ?? ''
    if (!ALWAYS_SET.test(name) && !isSet(name, text)) return true
  }
  return false
}

/** Whether a text assigns a variable, or tests it. */
const isSet = (name: string, text: string): boolean =>
  new RegExp(
    `(?:^|[\\s;(&|])(?:export\\s{1,4}|local\\s{1,4}|readonly\\s{1,4}|declare\\s{1,4}(?:-\\w{1,4}\\s{1,4})?)?${name}=(?!["']?(?:["']|\\s|$))|\\$\\{${name}:?[?=-]|\\b(?:for|read)\\s[^;\\n]{0,64}\\b${name}\\b|(?:-[nzd]|==?|!=)\\s{1,4}["']?\\$\\{?${name}\\b|["']?\\$\\{?${name}\\}?["']?\\s{1,4}(?:==?|!=)`,
    'm',
  ).test(text)
