import type { Step } from '../../../src/api.js'
import { AppealNote } from '../appeals/appeal-step.js'
import { memo } from '../parts/memo.js'
import { ReasonList } from '../parts/reason-list.js'
import { RiskGauge } from '../parts/risk-gauge.js'
import { ShownText } from '../parts/shown-text.js'
import { StepFacts } from '../parts/step-facts.js'
import { VerdictMark } from '../parts/verdict-mark.js'
import { isoTime, timeOfDay } from '../text/format.js'
import { EXPOSURE_WORDS, TAINT_WORDS, exposureRank } from '../text/words.js'
import type { Lane } from './flows.js'
import { StepDetails } from './step-details.js'

interface StepItemProps {
  readonly tenant: string
  readonly step: Step
  /** Leads to it. */
  readonly href: string
  readonly before: Step | undefined
  readonly lanes: readonly Lane[]
  readonly thresholds: readonly number[]
  readonly isCurrent: boolean
}

export const StepItem = memo(function StepItem({
  tenant,
  step,
  href,
  before,
  lanes,
  thresholds,
  isCurrent,
}: StepItemProps) {
  const { verdict, probability, reasons, alternative } = step
  const first = step.firstVerdict ?? verdict
  return (
    <li
      class={`step ${first ?? 'undecided'}${isCurrent ? ' current' : ''}`}
      aria-current={isCurrent ? 'step' : undefined}
    >
      <Lanes lanes={lanes} />
      <a class="number" href={href} aria-label={step.step === 0 ? 'Refused event' : `Step ${step.step}`}>
        {step.step === 0 ? '–' : step.step}
      </a>
      <div class="body">
        <div class="line">
          <code class="tool">
            <ShownText text={step.tool} charsMax={120} />
          </code>
          <Verdicts step={step} />
          {probability !== undefined && (
            <RiskGauge probability={probability} band={step.band ?? 0} thresholds={thresholds} />
          )}
          <StepTime step={step} />
        </div>
        <StepFacts effects={step.effects} labels={step.labels} />
        {step.arguments !== undefined && step.arguments.lines.length > 0 && (
          <code class="given">
            <ShownText text={step.arguments.lines.join('  ')} charsMax={240} />
          </code>
        )}
        <Changes step={step} before={before} lanes={lanes} />
        {reasons.length > 0 && <ReasonList reasons={reasons} />}
        {alternative !== undefined && (
          <p class="alternative">
            <b>Instead:</b> <ShownText text={alternative} />
          </p>
        )}
        <Answer step={step} />
        <AppealNote appeal={step.appeal} />
        <StepDetails tenant={tenant} step={step} />
      </div>
    </li>
  )
})

function Verdicts({ step: { verdict, firstVerdict, mode, completed } }: { readonly step: Step }) {
  return (
    <span class="verdicts">
      {firstVerdict !== undefined && firstVerdict !== verdict && (
        <>
          <VerdictMark verdict={firstVerdict} />
          <span aria-label="then">→</span>
        </>
      )}
      {verdict === undefined ? (
        <span class="muted">waits for its verdict</span>
      ) : (
        <VerdictMark verdict={verdict} />
      )}
      {mode === 'observe' && <span class="muted">observed only</span>}
      {completed !== undefined && (
        <span class="muted">{completed.outcome === 'ok' ? 'ran' : 'ran, with an error'}</span>
      )}
    </span>
  )
}

function StepTime({ step: { decidedAt, proposedAt } }: { readonly step: Step }) {
  const at = decidedAt ?? proposedAt
  if (at === undefined) return null
  return (
    <time class="muted" dateTime={isoTime(at)}>
      {timeOfDay(at)}
    </time>
  )
}

/** What this step changed in what the session has read, and what it carries. */
function Changes({
  step,
  before,
  lanes,
}: {
  readonly step: Step
  readonly before: Step | undefined
  readonly lanes: readonly Lane[]
}) {
  const { exposure, taint, pointOfNoReturn } = step
  const words = [
    ...(exposure !== undefined &&
    exposure !== 'none' &&
    exposureRank(exposure) > exposureRank(before?.exposure)
      ? [`the session has now read ${EXPOSURE_WORDS[exposure] ?? exposure}`]
      : []),
    ...(taint !== undefined && taint !== 'none' && taint !== before?.taint
      ? [TAINT_WORDS[taint] ?? taint]
      : []),
    ...lanes.flatMap(laneWords),
    ...(pointOfNoReturn !== undefined && before?.pointOfNoReturn === undefined
      ? [`▲ point of no return: a violation within ${pointOfNoReturn} steps is more likely than not`]
      : []),
  ]
  if (words.length === 0) return null
  return (
    <ul class="changes">
      {words.map((word) => (
        <li key={word}>{word}</li>
      ))}
    </ul>
  )
}

const LANE_WORDS: Readonly<Record<Lane['kind'], string>> = {
  sensitive: 'sensitive data that was read',
  untrusted: 'a value that only untrusted text names',
  instructions: 'a value from text that reads like instructions',
}

const laneWords = ({ kind, part, leaves }: Lane): readonly string[] =>
  part === 'uses' || part === 'ends'
    ? [`${LANE_WORDS[kind]} is in the arguments${leaves ? ' and would leave here' : ''}`]
    : []

/** Beside the step: from where something was read to where it is used. */
function Lanes({ lanes }: { readonly lanes: readonly Lane[] }) {
  return (
    <span class="lanes" aria-hidden="true">
      {lanes.map(({ kind, part, leaves }) => (
        <span key={kind} class={`lane ${kind} ${part}${leaves ? ' leaves' : ''}`} />
      ))}
    </span>
  )
}

function Answer({ step: { answer } }: { readonly step: Step }) {
  if (answer === undefined) return null
  return (
    <p class={`answer ${answer.resolution}`}>
      <b>{answer.resolution === 'approved' ? '✓ approved' : '✕ denied'}</b> by{' '}
      <ShownText text={answer.by} charsMax={80} /> at {timeOfDay(answer.at)}
      {answer.scope === 'session' && ', for steps like this one'}
      {answer.reason !== undefined && (
        <>
          : “<ShownText text={answer.reason} charsMax={600} />”
        </>
      )}
    </p>
  )
}
