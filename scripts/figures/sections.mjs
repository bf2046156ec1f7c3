/** The section of each kind of run on the page: Markdown of its result. */
import { count, figure, interval, joined, namesOf, percent, share, table } from './markdown.mjs'
import { commandOf } from './runs.mjs'

/** Where 1% and 5% false positives are on the curve of detection (`CURVE_AT`). */
export const AT = { 0.01: 3, 0.05: 6 }

/** What a run was made with: its command, its sample, what it scored. */
export function sectionOf(run, { sample, result }) {
  const command = commandOf(run)
  return joined([
    `## ${run.title}`,
    `\`node scripts/prediction-figures.mjs ${run.name}\`${command ? `, all sessions: \`${command}\`` : ''}`,
    sampledText(run, sample),
    ...SECTIONS[run.kind](result, run),
  ])
}

const sampledText = ({ samples }, sample) =>
  samples ? '' : sample === 1 ? 'All sessions.' : `A sample: one session in ${sample}, by a hash of its id.`

const SECTIONS = {
  eval: (result) => evaluationParts(result),
  chains: (result) => evaluationParts(result),
  without: ({ rows }) => [withoutTable(rows)],
  learning: ({ rows }) => [
    'Fitted and scored are one session in so many, by a hash of its id.',
    learningTable(rows),
  ],
  cost: ({ rows }) => [
    'Microseconds a step, in one process on a machine that does nothing else.',
    table([
      ['of', 'steps', 'mean', 'p50', 'p90', 'p99'],
      ...rows.map(({ of, steps, mean, p50, p90, p99 }) => [
        of,
        count(steps),
        ...[mean, p50, p90, p99].map((us) => us.toFixed(1)),
      ]),
    ]),
  ],
}

const isFitted = ({ name }) => /^(flow|bundle|judge)/.test(name)

function evaluationParts({ methods, modelled, chains, sources, judge }) {
  const fitted = methods.filter(isFitted)
  const reported = fitted.length > 0 ? fitted : methods
  return [
    sourcesText(sources),
    rankTable(methods, 'p1'),
    rankTable(methods, 'p5'),
    'At thresholds chosen on the training folds (of a bundle: its own):',
    alarmTable(reported),
    calibrationTable(reported),
    ...sessionParts(reported),
    ...(modelled.length > 0 ? ['The *modelled* target:', rankTable(modelled, 'p5')] : []),
    ...chains.flatMap(chainParts),
    ...(judge ? judgeParts(judge) : []),
  ]
}

const sourcesText = (sources) =>
  `Sessions, unsafe and safe: ${sources
    .map(({ source, unsafe, safe }) => `${source} ${count(unsafe)} and ${count(safe)}`)
    .join(', ')}.`

/** Groups in which there is something to rank. */
const rankedGroups = (methods, ranking) =>
  Object.entries(methods[0]?.rankings[ranking].groups ?? {})
    .filter(([, { unsafe, safe }]) => unsafe > 0 && safe > 0)
    .map(([name]) => name)

function rankTable(methods, ranking) {
  const groups = rankedGroups(methods, ranking)
  return table([
    [`by ${ranking}`, 'all', ...groups, 'early', ...groups.map(early), 'matched', 'at 5%', 'at 1%'],
    ...methods.map(({ name, rankings }) => {
      const { all, within, groups: own } = rankings[ranking]
      return [
        name,
        figure(all.auc),
        ...groups.map((group) => figure(own[group]?.auc)),
        figure(all.before),
        ...groups.map((group) => figure(own[group]?.before)),
        figure(within.matched),
        figure(within.detection[AT[0.05]]),
        figure(within.detection[AT[0.01]]),
      ]
    }),
  ])
}

const early = (group) => `early ${group}`

function alarmTable(methods) {
  const each = methods.flatMap(({ name, rankings }) =>
    ['p1', 'p5'].flatMap((ranking) =>
      rankings[ranking].alarms.map(({ name: at, figures }) => ({ name, ranking, at, figures })),
    ),
  )
  const sources = [...new Set(each.flatMap(({ figures }) => Object.keys(figures.falsePositivesBySource)))]
  return table([
    ['method', 'by', 'at', 'detected', ...sources.map((source) => `alarms in ${source}`), 'before the call'],
    ...each.map(({ name, ranking, at, figures }) => [
      name,
      ranking,
      at,
      share(figures.detection),
      ...sources.map((source) => share(figures.falsePositivesBySource[source])),
      share(figures.early),
    ]),
  ])
}

const calibrationTable = (methods) =>
  table([
    ['method', 'of', 'Brier', 'ECE', 'riskiest tenth', 'skill', 'skill within groups'],
    ...methods.flatMap(({ name, calibration }) =>
      ['p1', 'p5', 'p5After'].map((kind) => [
        name,
        kind,
        figure(calibration[kind].all.brier, 4),
        figure(calibration[kind].all.error),
        figure(calibration[kind].all.riskiestTenth),
        figure(calibration[kind].all.skill),
        Object.entries(calibration[kind].groups)
          .filter(([, { skill }]) => typeof skill === 'number')
          .map(([group, { skill }]) => `${group} ${figure(skill, 2)}`)
          .join(', '),
      ]),
    ),
  ])

const comparedChains = ({ target, compared }) =>
  compared.length === 0
    ? ''
    : joined([
        `Chains, ${target}: mean ln P of what came next (violated, ended, going on), AUC of the highest P(5) before the call, held out.`,
        table([
          ['chain', 'ln P', 'AUC before'],
          ...compared.map(({ name, logLikelihood, before }) => [
            name,
            figure(logLikelihood, 4),
            figure(before),
          ]),
        ]),
      ])

/** Of the first method that is fitted or ships: whole sessions, cut ones, and what the policy answers to them. */
function sessionParts([{ name, sessions }]) {
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
const judgeParts = ({ sources }) => [
  'A [model as judge](prediction.md#a-model-as-judge) would be asked about ambiguous steps; *open*: violated sessions that no verdict stops, those with an ambiguous step.',
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

function chainParts(report) {
  return [comparedChains(report), ...report.described.flatMap((view) => describedChains(view, report.target))]
}

/** The tables of the SafetyDrift paper, by category. */
function describedChains({ space, of, horizon, threshold, categories }, target) {
  const ahead = categories[0]?.figures.ahead.map((_, h) => `P(${h + 1})`) ?? []
  const tested = categories.filter(({ orders }) => orders.length > 0)
  const orders = tested[0]?.orders.map(({ order }) => order) ?? []
  const noReturn = categories.flatMap(({ category, noReturn: points }) =>
    points.map((point) => [category, point.state, point.horizon, figure(point.probability)]),
  )
  const shown = noReturn.slice(0, NO_RETURN_SHOWN)
  return [
    `Chains of the space \`${space}\`, ${target}, fitted to ${of}.`,
    table([
      ['category', 'sessions', 'steps', 'violated', ...ahead, 'in the end', 'mean steps', 'to the violation'],
      ...categories.map(({ category, sessions, steps, violations, figures }) => [
        category,
        count(sessions),
        count(Math.round(steps)),
        count(Math.round(violations)),
        ...figures.ahead.map((p) => figure(p)),
        figure(figures.violated),
        figure(figures.steps, 1),
        figure(figures.stepsToViolation, 1),
      ]),
    ]),
    table([
      [
        'order',
        ...orders.flatMap((k) => [`χ² ${k}:${k - 1}`, `df ${k}`, `p ${k}`]),
        ...orders.map((k) => `next, order ${k}`),
      ],
      ...tested.map((chain) => [
        chain.category,
        ...chain.orders.flatMap(({ chiSquare, degrees, p }) => [
          figure(chiSquare, 0),
          count(degrees),
          p < 1e-4 ? '< .0001' : figure(p, 4),
        ]),
        ...orders.map((k) => {
          const { correct, transitions } = chain.nextState.find(({ order }) => order === k) ?? {}
          return figure(transitions ? correct / transitions : Number.NaN)
        }),
      ]),
    ]),
    noReturn.length === 0
      ? `No state that was seen is a point of no return: P(${horizon}) above ${threshold}.`
      : `Points of no return, P(${horizon}) above ${threshold}: ${noReturn.length}${noReturn.length > shown.length ? `, the first ${shown.length}` : ''}.`,
    table([['category', 'point of no return', 'from h', `P(${horizon})`], ...shown]),
  ]
}
const NO_RETURN_SHOWN = 20

/** The bundle where clients leave parts out: the rows of its rank tables, and what its thresholds do. */
function withoutTable(rows) {
  const own = rows.map(({ parts, result }) => ({ name: partsText(parts, rows), method: result.methods[0] }))
  const groups = rankedGroups([own[0].method], 'p1')
  return table([
    [
      'reported',
      ...groups,
      'early',
      'detected at confirm',
      'safe sessions with an alarm at confirm',
      'skill of p1',
    ],
    ...own.map(({ name, method: { rankings, calibration } }) => {
      const confirm = rankings.p1.alarms.find(({ name: at }) => at === 'confirm')?.figures
      return [
        name,
        ...groups.map((group) => figure(rankings.p1.groups[group]?.auc)),
        figure(rankings.p1.all.before),
        share(confirm?.detection),
        share(confirm?.falsePositives),
        figure(calibration.p1.all.skill),
      ]
    }),
  ])
}

function partsText(parts, rows) {
  if (parts.length === 0) return 'everything'
  return parts.length === rows.length - 2 ? 'labels only' : `without ${parts.join(', ')}`
}

const learningTable = (rows) => {
  const groups = rankedGroups(rows.at(-1).methods, 'p1')
  return table([
    [
      'sessions',
      'unsafe',
      ...groups,
      ...groups.map(early),
      'at 5%',
      'at 1%',
      'skill of p1',
      'skill of p5After',
    ],
    ...rows.map(({ sources, methods: [{ rankings, calibration }] }) => [
      count(sources.reduce((sum, { unsafe, safe }) => sum + unsafe + safe, 0)),
      count(sources.reduce((sum, { unsafe }) => sum + unsafe, 0)),
      ...groups.map((group) => figure(rankings.p1.groups[group]?.auc)),
      ...groups.map((group) => figure(rankings.p1.groups[group]?.before)),
      figure(rankings.p1.within.detection[AT[0.05]]),
      figure(rankings.p1.within.detection[AT[0.01]]),
      figure(calibration.p1.all.skill),
      figure(calibration.p5After.all.skill),
    ]),
  ])
}
