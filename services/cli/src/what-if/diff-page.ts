import { tablesPage, type DecisionDiff } from '@plimsoll/trainer'
import { changeRows, specRows, toolRows, truthRows, verdictRows } from './diff-rows.js'
import { examplesText, GOES_ON, unlabelledText } from './diff-text.js'

/** A diff as one page that needs nothing else. `about`: what was compared. */
export const diffPage = (about: string, diff: DecisionDiff): string =>
  tablesPage({
    title: 'What another policy would decide otherwise',
    paragraphs: [
      about,
      `${diff.changed.steps} of ${diff.steps} steps, in ${diff.changed.sessions} of ${diff.sessions} sessions.`,
      ...[unlabelledText(diff)].filter((text) => text !== ''),
      GOES_ON,
    ],
    tables: [
      ['What would change', changeRows(diff)],
      ['Verdicts', verdictRows(diff)],
      ['By what makes the difference', specRows(diff)],
      ['By tool', toolRows(diff)],
      ['Honest sessions and harmful ones', truthRows(diff)],
    ],
    report: examplesText(diff),
  })
