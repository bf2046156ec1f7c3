import {
  CAPABILITIES,
  CONFIDENTIALITIES,
  REVERSIBILITIES,
  TRUSTS,
  type ClaimedLabels,
  type ToolLabels,
} from '@plimsoll/contracts'
import type { Random } from '../random.js'

/** Few words in all, so that random patterns match often. */
export const TOOLS = ['read_a', 'read_b', 'write_a', 'send_a', 'redact', 'audit', 'odd'] as const
export const GLOBS = [
  'read_a',
  'read_b',
  'write_a',
  'send_a',
  'redact',
  'audit',
  'odd',
  'read_*',
  '*_a',
  '*',
] as const
export const TAGS = ['pii', 'fin'] as const
export const KINDS = ['a', 'b', 'c', 'd'] as const
/** Command lines. */
export const COMMANDS = ['down', 'down -v; ls', 'ls; down', 'down; up', 'up', 'ls'] as const

/** Some of `words`, at least one. */
export function some<T>(random: Random, words: readonly [T, ...T[]], share = 0.4): [T, ...T[]] {
  const [first = random.pick(words), ...rest] = words.filter(() => random.chance(share))
  return [first, ...rest]
}

export const randomLabels = (random: Random): ToolLabels => ({
  capability: random.pick(CAPABILITIES),
  reversibility: random.pick(REVERSIBILITIES),
  ...(random.chance(0.6) && { confidentiality: random.pick(CONFIDENTIALITIES) }),
  ...(random.chance(0.5) && { trust: random.pick(TRUSTS) }),
  ...(random.chance(0.4) && { tags: some(random, TAGS) }),
})

/** Labels that a client claims: some, seldom all. */
export function randomClaims(random: Random): ClaimedLabels {
  const labels = randomLabels(random)
  if (random.chance(0.2)) return labels
  return Object.fromEntries(Object.entries(labels).filter(() => random.chance(0.4)))
}
