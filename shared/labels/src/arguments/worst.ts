import type { ClaimedLabels } from '@plimsoll/contracts'
import { does, raise, signal, type Effects } from './effects.js'

/** What a text that cannot be read counts as: it may send anything anywhere, and take away whatever there is. */
const WORST: ClaimedLabels = {
  capability: 'network',
  confidentiality: 'internal',
  trust: 'untrusted',
  reversibility: 'irreversible',
}

const TAKES_AWAY =
  /\b(?:rm|rmdir|unlink\w*|shred|dd|mkfs|wipe\w*|del|erase\w*|delete\w*|drop\w*|truncate\w*|purge\w*|destroy\w*|terminate\w*|kill\w*|shutdown|reboot|flush\w*|(?<!-)prune|remove\w*|grant|eval|push|publish|passwd|base64)\b/i

/** Whether a text that is not understood has a word of something that is taken away for good. */
export const takesAway = (text: string): boolean => TAKES_AWAY.test(text)

/** @param text what is not understood as a whole; undefined where it is not looked at at all. Without a word that takes something away it is no deletion. */
export function unreadable(effects: Effects, reason: string, text?: string): void {
  raise(effects, WORST, reason)
  effects.complete = false
  signal(effects, 'unreadable', 1)
  if (text === undefined || takesAway(text)) does(effects, 'delete')
}
