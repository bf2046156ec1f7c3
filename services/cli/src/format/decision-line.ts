import { type Decision, type Reason, type Verdict, VERDICTS } from '@plimsoll/contracts'

/** Numbers of SGR colours (ECMA-48): `styleText` looks at stdout, and decisions may go to stderr. */
const COLOURS: Readonly<Record<Verdict, number>> = { allow: 32, warn: 33, confirm: 35, block: 31 }
const BOLD = 1

/** What each column shows and how many characters it has, in the order of a line; the reason follows, as long as it is. */
const COLUMNS = { verdict: 7, session: 28, tool: 20, exposure: 11, risk: 15 } as const

const RISK_CELLS = 8
/** A cell of the bar from empty to full, in eighths. */
const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉']

const MEANINGS: Readonly<Record<Verdict, string>> = {
  allow: 'the step runs',
  warn: 'it runs, with a warning for the operator',
  confirm: 'it waits for a human',
  block: 'it does not run',
}

/** The lines above the first decision: what each verdict means, and the names of the columns. */
export function decisionLegend(horizon: number, { colour }: { readonly colour: boolean }): string {
  const verdicts = VERDICTS.map(
    (each) => `  ${verdictText(each, colour)}${' '.repeat(10 - each.length)}${MEANINGS[each]}`,
  )
  const { verdict, session, tool, exposure, risk } = COLUMNS
  const heads = [
    'verdict'.padEnd(verdict),
    'session'.padEnd(session),
    'tool'.padEnd(tool),
    'exposure'.padEnd(exposure),
    'risk'.padEnd(risk),
    'reason',
  ].join('  ')
  return [
    'Each line is a decision, made before the tool runs:',
    ...verdicts,
    '  exposure  the most sensitive data that the session has read',
    `  risk      the chance of a violation within the next ${horizon} steps`,
    '  reason    why the step does not simply run',
    '',
    colour ? styled(BOLD, heads) : heads,
    '',
  ].join('\n')
}

/** One decision on one line: verdict, session, tool, exposure, risk as bar and number, and the reason in plain words. */
export function decisionLine(decision: Decision, { colour }: { readonly colour: boolean }): string {
  const { verdict, sessionId, tool, risk } = decision
  const columns = [
    verdictText(verdict, colour) + ' '.repeat(COLUMNS.verdict - verdict.length),
    fit(sessionId, COLUMNS.session),
    fit(tool, COLUMNS.tool),
    fit(risk?.exposure ?? '', COLUMNS.exposure),
    risk ? riskText(risk.probability) : ' '.repeat(COLUMNS.risk),
    reasonText(decision),
  ]
  return `${columns.join('  ').trimEnd()}\n`
}

const verdictText = (verdict: Verdict, colour: boolean): string =>
  colour ? styled(COLOURS[verdict], verdict) : verdict

const styled = (code: number, text: string): string => `\u001B[${code}m${text}\u001B[0m`

/** Padded; a text that is too long loses its middle, since ids differ at their ends. */
function fit(text: string, width: number): string {
  if (text.length <= width) return text.padEnd(width)
  const head = Math.ceil((width - 1) / 2)
  return `${text.slice(0, head)}…${text.slice(text.length - (width - 1 - head))}`
}

function riskText(probability: number): string {
  const eighths = Math.round(probability * RISK_CELLS * 8)
  const bar = '█'.repeat(eighths >> 3) + (EIGHTHS[eighths & 7] ?? '')
  return `${bar.padEnd(RISK_CELLS, '·')} ${`${(probability * 100).toFixed(1)}%`.padStart(6)}`
}

/** The reason that decided: the most severe one not lifted, else the most severe lifted one. */
export function chiefReason(reasons: readonly Reason[]): Reason | undefined {
  const severity = ({ verdict, liftedBy }: Reason) =>
    VERDICTS.indexOf(verdict) + (liftedBy === undefined ? VERDICTS.length : 0)
  return reasons.reduce<Reason | undefined>(
    (chief, reason) => (chief && severity(chief) >= severity(reason) ? chief : reason),
    undefined,
  )
}

const APPROVAL = 'approval:'

function reasonText({ kind, reasons, verdict }: Decision): string {
  const chief = chiefReason(reasons)
  // A reason for allowing explains nothing that the verdict does not.
  const message = chief === undefined || chief.verdict === 'allow' ? '' : chief.message
  const liftedBy = chief?.liftedBy
  if (liftedBy?.startsWith(APPROVAL)) return `approved by ${liftedBy.slice(APPROVAL.length)}: ${message}`
  if (kind === 'approval' && verdict === 'block') return `denied: ${message}`
  return liftedBy === undefined ? message : `${message} (lifted by ${liftedBy})`
}
