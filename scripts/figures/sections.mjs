/** The section of each kind of run on the page: Markdown of its result. */
import { count, figure, joined, share, table } from './markdown.mjs'
import { commandOf } from './runs.mjs'
import { chainParts } from './chain-tables.mjs'
import { judgeParts, sessionParts } from './session-tables.mjs'

/** Where 1% and 5% false positives are on the curve of detection (`CURVE_AT`). */
export const AT = { 0.01: 3, 0.05: 6 }

/** What a run was made with: its command, its sample, what it scored. */
export function sectionOf(run, { sample, result }) {
  const command = commandOf(run)
  return joined([
    `## ${run.title}`,
    `\`node scripts/prediction-figures.mjs ${run.name}\`${command ? `, all sessions: \`${command}\`` : ''}`,
    run.note,
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
    'Fitted and scored are one session in 81, 27, 9 and 3, by a hash of its id; all of them: [unseen attacks](#unseen-attacks).',
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
