import { useState } from 'preact/hooks'
import type { AnswerRequest, Question } from '../../../src/api.js'
import { useConsole } from '../api/hub.js'
import { useKeys } from '../parts/keys.js'
import { ReasonList } from '../parts/reason-list.js'
import { RiskGauge } from '../parts/risk-gauge.js'
import { sessionLink } from '../parts/route.js'
import { ShownText } from '../parts/shown-text.js'
import { ArgumentLines, StepFacts } from '../parts/step-facts.js'
import { VerdictMark } from '../parts/verdict-mark.js'
import { percent } from '../text/format.js'
import { AnswerDialog } from './answer-dialog.js'
import { whyNot } from './may-answer.js'
import { TimeLeft } from './time-left.js'

/**
 * What a human is asked, and the way to answer it.
 * @param questions alike; the first is shown
 * @param hasKeys whether `a` and `d` answer it
 */
export function QuestionCard({
  questions,
  isInSession = false,
  hasKeys,
}: {
  readonly questions: readonly Question[]
  readonly isInSession?: boolean
  readonly hasKeys: boolean
}) {
  const { me } = useConsole()
  const [asked, setAsked] = useState<AnswerRequest['resolution']>()
  const [question] = questions
  const problem = question && whyNot(me, question.tenant)
  const ask = (resolution: AnswerRequest['resolution']) => () => {
    if (problem === undefined) setAsked(resolution)
  }
  useKeys(hasKeys ? { a: ask('approved'), d: ask('denied') } : {})
  if (question === undefined) return null
  const { tool, step, sessionId, agent, probability, hazard, reasons, alternative } = question

  return (
    <article class="asked" aria-label="Open question">
      <header>
        <p class="who">
          <VerdictMark verdict="confirm" />
          {isInSession ? (
            <a href={sessionLink(sessionId, question.decisionId)}>step {step}</a>
          ) : (
            <span>
              <ShownText text={agent ?? sessionId} charsMax={80} />,{' '}
              <a href={sessionLink(sessionId, question.decisionId)}>step {step}</a>
            </span>
          )}
          <TimeLeft expiresAt={question.expiresAt} />
        </p>
        <h2>
          May it run{' '}
          <code>
            <ShownText text={tool} charsMax={120} />
          </code>
          ?
        </h2>
      </header>
      <StepFacts effects={question.effects} labels={question.labels} />
      <h3>What would run</h3>
      <ArgumentLines given={question.arguments} />
      <h3>Why a human is asked</h3>
      <ReasonList reasons={reasons} />
      {alternative !== undefined && (
        <p class="alternative">
          <b>Instead:</b> <ShownText text={alternative} />
        </p>
      )}
      {probability !== undefined && (
        <p class="odds">
          <RiskGauge probability={probability} band={question.band} thresholds={[]} />{' '}
          <span class="muted">
            chance of a violation within {question.horizon ?? 'the next'} steps
            {hazard !== undefined && `; ${percent(hazard)} that this step is it`}
          </span>
        </p>
      )}
      {problem === undefined ? (
        <div class="answers">
          <button type="button" class="primary" onClick={ask('approved')}>
            Approve… {hasKeys && <kbd>a</kbd>}
          </button>
          <button type="button" class="danger" onClick={ask('denied')}>
            Deny… {hasKeys && <kbd>d</kbd>}
          </button>
        </div>
      ) : (
        <p class="muted">{problem}</p>
      )}
      {asked !== undefined && (
        <AnswerDialog questions={questions} resolution={asked} onClose={() => setAsked(undefined)} />
      )}
    </article>
  )
}
