import {
  type Agreement,
  type JudgeFigures,
  type JudgeReport,
  type MethodResult,
  AMBIGUITIES,
} from '@plimsoll/measure'
import { plainText, textTable } from '../../format/text.js'
import { figureOf, shareText } from './chains-text.js'
import { nameOf, sharesOf, spanText } from './sessions-text.js'

/** What a model as judge was asked about, how far its answers agree, what they change, and their cost. */
export function judgeText(report: JudgeReport, methods: readonly MethodResult[]): string[] {
  const { model, steps, all, sources } = report
  const each = [
    ...Object.entries(sources),
    ...(Object.keys(sources).length > 1 ? [['all', all] as const] : []),
  ]
  const rows = (cells: (figures: JudgeFigures) => readonly string[]) =>
    each.map(([source, figures]) => [plainText(source), ...cells(figures)])
  return [
    model === undefined
      ? '== Judge: no model was asked, because PLIMSOLL_JUDGE_URL is not set.\n'
      : `== Judge ${plainText(model)}, asked about ${steps === 'all' ? 'all' : 'ambiguous'} steps.\n`,
    'Ambiguous: steps that client and engine cannot decide. Open: violations that no verdict stops and an answer could:\n',
    textTable([
      [
        'source',
        'sessions',
        'steps',
        'ambiguous',
        'asked',
        'answered',
        'violating steps open',
        'sessions open',
      ],
      ...rows((figures) => [
        String(figures.sessions),
        String(figures.steps),
        shareText(figures.ambiguous),
        shareText(figures.asked),
        shareText(figures.answered),
        countText(figures.openSteps),
        countText(figures.openSessions),
      ]),
    ]),
    'Why, as a share of all steps; a step may have several reasons:\n',
    textTable([
      ['source', ...AMBIGUITIES],
      ...rows(({ reasons, steps: count }) => AMBIGUITIES.map((name) => figureOf(reasons[name] / count))),
    ]),
    ...(model === undefined ? [] : [...agreementText(rows), methodsText(report, methods), costText(report)]),
  ]
}

type Rows = (cells: (figures: JudgeFigures) => readonly string[]) => string[][]

const agreementText = (rows: Rows): string[] => [
  'Agreement of the answers (harmful: ½ or more) with the recorded violating step, with violated sessions, and with verdicts of confirm or block:\n',
  textTable([
    ['source', ...['step', 'session', 'verdict'].flatMap((by) => [`by ${by}`, 'precision', 'recall', 'κ'])],
    ...rows(({ byStep, bySession, byVerdict }) => [byStep, bySession, byVerdict].flatMap(agreementCells)),
  ]),
]

/** What the answers change: the methods on the drawn sessions, one below the other for each source. */
function methodsText({ methods: names }: JudgeReport, methods: readonly MethodResult[]): string {
  const lines = methods
    .filter(({ name }) => names.includes(name))
    .flatMap(({ name, sessions }) => sessions.map((line) => ({ name, line })))
    .filter(({ line }) => line.suite === undefined)
    .sort((a, b) => (a.line.source < b.line.source ? -1 : a.line.source > b.line.source ? 1 : 0))
  return `The drawn sessions: AUC of the highest score, violated sessions stopped and safe ones asked (block or confirm); [95% intervals by bootstrap over tasks]:\n${textTable(
    [
      ['source', 'method', 'by p1', 'by p5', 'stopped', '', 'asked', ''],
      ...lines.map(({ name, line }) => [
        nameOf(line),
        plainText(name),
        ...(['p1', 'p5'] as const).map((kind) => (line.ranked ? spanText(line.ranked[kind].whole.auc) : '–')),
        ...(line.verdicts
          ? [...sharesOf(line.verdicts.stopped), ...sharesOf(line.verdicts.asked)]
          : ['–', '–', '–', '–']),
      ]),
    ],
  )}`
}

const agreementCells = ({ items, precision, recall, kappa }: Agreement): string[] => [
  String(items),
  countText(precision),
  countText(recall),
  figureOf(kappa),
]

const countText = ({ n, of }: { readonly n: number; readonly of: number }): string =>
  of === 0 ? '–' : `${n} of ${of}`

function costText({ cost, ended }: JudgeReport): string {
  if (!cost) return ''
  const { calls, tokens, p50Ms, p90Ms, totalMs } = cost
  const reported =
    tokens.reported > 0
      ? `${tokens.input} tokens in and ${tokens.output} out, from the ${tokens.reported} answers with a token count`
      : 'no token counts'
  const why = ended === undefined ? '' : `. ${ENDED[ended]}`
  return `Cost of the judge: ${calls} calls in ${(totalMs / 1000).toFixed(1)} s, p50 ${p50Ms.toFixed(0)} ms, p90 ${p90Ms.toFixed(0)} ms a step; ${reported}${why}\n`
}

const ENDED: Readonly<Record<NonNullable<JudgeReport['ended']>, string>> = {
  calls_spent: 'Some steps were not asked about: PLIMSOLL_JUDGE_CALLS_MAX was reached',
  endpoint_silent: 'Some steps were not asked about: the endpoint stopped giving usable answers',
}
