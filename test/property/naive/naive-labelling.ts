import type { EventOf, ToolLabels } from '@plimsoll/contracts'
import type { Documents } from '@plimsoll/policy'
import { entryOf } from './naive-judge.js'
import { raised, worstOf } from './naive-labels.js'
import { readOrStandIn } from './naive-levels.js'
import type { Question } from './naive-session.js'

/** The labels of each step of a session, by its documents of the moment and by what a judge has said of its tools. */
export function createNaiveLabelling(documents: () => Documents) {
  const refined = new Map<string, { labels: ToolLabels; replaces: boolean }>()

  function of({ tool, labels: claimed }: Pick<EventOf<'step.proposed'>, 'tool' | 'labels'>) {
    const entry = entryOf(documents(), tool)
    if (entry?.least && claimed?.capability && claimed.reversibility)
      return { labels: raised(entry.least, claimed), labelled: true, derived: true }
    const labels = raised(worstOf(entry) ?? standInFor(tool), claimed)
    return { labels, labelled: entry !== undefined, derived: false }
  }

  /** The labels of a tool in no catalogue. */
  function standInFor(tool: string): ToolLabels {
    const labels = readOrStandIn(documents().policy.unlabelled.labels, tool)
    const known = refined.get(tool)
    if (!known) return labels
    if (!known.replaces) return raised(labels, known.labels)
    return labels.trust === 'untrusted' ? { ...known.labels, trust: 'untrusted' } : known.labels
  }

  /** The documents may have changed since the request. */
  function byNow(question: Question): Question {
    const entry = entryOf(documents(), question.tool)
    const derived = question.derived && entry?.least !== undefined
    const standIn = question.labelled ? question.labels : standInFor(question.tool)
    const labelled = question.labelled || entry !== undefined
    const known = derived ? entry.least : worstOf(entry)
    return { ...question, labels: raised(question.labels, known ?? standIn), labelled, derived }
  }

  function refine({
    tool,
    labels,
    effect,
  }: Pick<EventOf<'labels.refined'>, 'tool' | 'labels' | 'effect'>): void {
    const before = refined.get(tool)
    refined.set(tool, {
      labels: before ? raised(before.labels, labels) : labels,
      replaces: effect === 'replace' && (before?.replaces ?? true),
    })
  }

  return { of, byNow, refine, isReplaced: (tool: string) => refined.get(tool)?.replaces ?? false }
}
