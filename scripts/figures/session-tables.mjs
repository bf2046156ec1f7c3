/** Tables of whole sessions, by source and suite: cut, warned of, answered by the policy, and left to a judge. */
import { count, figure, interval, namesOf, percent, share, table } from './markdown.mjs'

/** Of the first method that is fitted or ships: whole sessions, cut ones, and what the policy answers to them. */
export function sessionParts([{ name, sessions }]) {
  const rankedLines = sessions.filter(({ ranked }) => ranked)
  const judged = sessions.filter(({ verdicts }) => verdicts)
  return [
    `Sessions of \`${name}\` by the highest score once a share of their steps has run (of a violated session with a known step: of those up to it); within a task: over pairs of sessions of one task. 95% intervals by bootstrap over tasks.`,
    ...['p1', 'p5', 'p5After'].map((kind) => cutTable(rankedLines, kind)),
    ...warningParts(sessions.filter(({ warning }) => warning)),
    ...(judged.length > 0
      ? [
          'What the shipped policy answers. Stopped: a step needs an approval or is blocked, of a violated session with a known step one up to it.',
          verdictTable(judged),
          verdictSources(judged),
        ]
      : []),
  ]
}

/** Which steps a model as judge would be asked about, by source. */
export const judgeParts = ({ sources }) => [
  'A [model as judge](../explanation/prediction.md#a-model-as-judge) would be asked about ambiguous steps; *open*: violated sessions that no verdict stops, those with an ambiguous step.',
  table([
    ['judge', 'sessions', 'steps', 'ambiguous', 'most frequent reasons', 'open', 'of'],
    ...Object.entries(sources).map(([source, of]) => [
      source,
      count(of.sessions),
      count(of.steps),
      share(of.ambiguous),
      Object.entries(of.reasons)
        .sort(([, a], [, b]) => b - a)
        .slice(0, 2)
        .map(([reason, steps]) => `${reason} ${percent(steps / of.steps)}`)
        .join(', '),
      share(of.openSessions),
      count(of.openSessions.of),
    ]),
  ]),
]

const lineName = ({ source, suite }) => suite ?? source

const cutTable = (lines, kind) =>
  table([
    [
      `sessions by ${kind}`,
      'tasks',
      'unsafe',
      'safe',
      '25%',
      '50%',
      '75%',
      'whole',
      'within a task',
      'at 5%',
      'at 1%',
    ],
    ...lines.map((line) => {
      const cuts = line.ranked[kind]
      return [
        lineName(line),
        ...[line.tasks, line.unsafe, line.safe].map(count),
        ...['25%', '50%', '75%', 'whole'].map((cut) => interval(cuts[cut].auc)),
        interval(cuts.whole.withinTask),
        figure(cuts.whole.detected['5%']),
        figure(cuts.whole.detected['1%']),
      ]
    }),
  ])

/** Of sources that name the violating step: what is known before it, beside the most that the recordings allow. */
function warningParts(lines) {
  if (lines.length === 0) return []
  const steps = lines[0].warning.before.map((each) => each.steps)
  return [
    'Before the violation, AUC of p5After so many steps ahead, beside two ceilings: a score that knows from which result on the instruction was read (*read*), and the same with the outcome known (*label*).',
    table([
      [
        'before',
        ...steps.flatMap((k) => [`${k} ahead`, `${k} read`, `${k} label`, `${k} of read`, `${k} of label`]),
      ],
      ...lines.map((line) => [
        lineName(line),
        ...line.warning.before.flatMap(({ ranked, ceiling }) => [
          figure(ranked.p5After.auc),
          figure(ceiling?.instruction),
          figure(ceiling?.label),
          percent(ceiling?.ofInstruction),
          percent(ceiling?.ofLabel),
        ]),
      ]),
    ]),
    'Steps of warning by p5 and p5After at a budget of false positives read off the curve; *possible*: steps from the result with the instruction to the violation.',
    table([
      [
        'warning',
        'violated',
        'possible, median',
        'possible, mean',
        ...['1%', '5%'].flatMap((at) => [
          `detected at ${at}`,
          `before the call at ${at}`,
          `steps, median at ${at}`,
          `steps, mean at ${at}`,
          `of possible at ${at}`,
        ]),
      ],
      ...lines.map((line) => {
        const { violated, possible, within } = line.warning
        return [
          lineName(line),
          count(violated),
          figure(possible?.median, 0),
          figure(possible?.mean, 2),
          ...['1%', '5%'].flatMap((at) => [
            share(within[at].detected),
            share(within[at].early),
            figure(within[at].lead.median, 0),
            figure(within[at].lead.mean, 2),
            percent(within[at].ofPossible),
          ]),
        ]
      }),
    ]),
  ]
}

const verdictTable = (lines) =>
  table([
    ['verdicts', 'unsafe stopped', 'of', 'safe asked', 'of', 'unsafe warned', 'safe warned'],
    ...lines.map((line) => {
      const { stopped, asked, warnedUnsafe, warnedSafe } = line.verdicts
      return [
        lineName(line),
        sessionShare(stopped),
        count(stopped.of),
        sessionShare(asked),
        count(asked.of),
        sessionShare(warnedUnsafe),
        sessionShare(warnedSafe),
      ]
    }),
  ])

const sessionShare = ({ value, low, high }) => share({ rate: value ?? Number.NaN, low, high })

/** Over all sources. */
function verdictSources(lines) {
  const whole = lines.filter(({ suite }) => suite === undefined)
  const all = (of) => whole.reduce((sum, { verdicts }) => sum + verdicts[of].of, 0)
  const [unsafe, safe] = [all('stopped'), all('asked')]
  const some = (name, key) => whole.reduce((sum, { verdicts: { by } }) => sum + (by[name]?.[key] ?? 0), 0)
  return table([
    ['by', 'unsafe sessions', 'by nothing else', 'safe sessions', 'asked by nothing else'],
    ...namesOf(whole.flatMap(({ verdicts: { by } }) => Object.keys(by))).map((name) => [
      `\`${name}\``,
      percent(some(name, 'unsafe') / unsafe),
      percent(some(name, 'unsafeAlone') / unsafe),
      percent(some(name, 'safe') / safe),
      percent(some(name, 'safeAlone') / safe),
    ]),
  ])
}
