import type { Question } from './naive-session.js'

export const isSensitive = (confidentiality: string): boolean =>
  confidentiality === 'sensitive' || confidentiality === 'credentials'

/** Whether a report lacks some of what it is about, or holds what cannot be read. */
export const isUnread = (signals: Question['signals'] = {}): boolean =>
  (signals['partial'] ?? 0) > 0 || (signals['opaque'] ?? 0) > 0

/** Whether a step may leave code that a later one runs: it writes code, or runs an unknown program. */
export const writesCode = (
  { labels, signals = {} }: Pick<Question, 'labels' | 'signals'>,
  taint: string,
): boolean =>
  (signals['code'] ?? 0) > (taint === 'instructions' ? 0 : 0.5) ||
  (labels.capability === 'execute' && signals['complete'] !== 1)

/** Whether files may hold sensitive data after the step. */
export function fillsFiles(
  { labels, signals = {}, carriesSome }: Pick<Question, 'labels' | 'signals' | 'carriesSome'>,
  known: { readonly exposure: string; readonly codeWritten: boolean; readonly mayBeUnlisted: boolean },
): boolean {
  const readsSensitive = isSensitive(labels.confidentiality ?? 'none')
  if (labels.capability === 'read') return false
  if (!((signals['program'] ?? 0) > 0)) {
    if (signals['takesAll'] === 1) return true
    const isAtStake = readsSensitive || isSensitive(known.exposure)
    if (!isAtStake || labels.capability === 'network') return false
    if (signals['moves'] === 1) return readsSensitive
    return readsSensitive || carriesSome || isUnread(signals) || known.mayBeUnlisted
  }
  if (signals['complete'] !== 1 || readsSensitive || signals['takesAll'] === 1 || carriesSome) return true
  return (signals['runner'] ?? 0) > 0 ? known.codeWritten : known.mayBeUnlisted
}
