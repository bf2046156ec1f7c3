import { useRef, useState } from 'preact/hooks'
import type { ApprovalScope } from '@plimsoll/contracts'
import type { AnswerRequest, Question } from '../../../src/api.js'
import { useConsole, useLive } from '../api/hub.js'
import { Dialog } from '../parts/dialog.js'
import { ShownText } from '../parts/shown-text.js'
import { ArgumentLines, StepFacts } from '../parts/step-facts.js'
import { counted } from '../text/format.js'
import { SCOPE_WORDS } from '../text/words.js'
import { sendAnswers } from './send-answers.js'

/** Of the API. */
const REASON_MAX = 500

/** Confirms an answer: shows what will run, and takes the reason and the scope. */
export function AnswerDialog({
  questions: given,
  resolution,
  onClose,
}: {
  readonly questions: readonly Question[]
  readonly resolution: AnswerRequest['resolution']
  readonly onClose: () => void
}) {
  // What is confirmed stays what was shown, whatever happens to the queue meanwhile.
  const { current: questions } = useRef(given)
  const { notify } = useConsole()
  const [reason, setReason] = useState('')
  const [scope, setScope] = useState<ApprovalScope>('once')
  const [isForAll, setForAll] = useState(false)
  const [isUnseen, setUnseen] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const isAnswered = useAnswered(questions[0]?.decisionId)
  const [question] = questions
  if (question === undefined) return null

  const isApproval = resolution === 'approved'
  const isWhole = question.arguments.isWhole && !question.arguments.isCut
  const text = reason.replaceAll(/\s+/g, ' ').trim()
  const isReady = !isBusy && !isAnswered && (isApproval ? isWhole || isUnseen : text !== '')
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    if (!isReady) return
    setBusy(true)
    const answer: AnswerRequest = {
      resolution,
      ...(text !== '' && { reason: text }),
      ...(isApproval && { scope }),
      ...(isApproval && !isWhole && { unseen: true }),
    }
    notify(await sendAnswers(isForAll ? questions : [question], answer))
    onClose()
  }

  return (
    <Dialog title={isApproval ? 'Approve this step?' : 'Deny this step?'} onClose={onClose}>
      <form class="answer-form" onSubmit={(event) => void submit(event)}>
        <p>
          <ShownText text={question.agent ?? question.sessionId} charsMax={80} />{' '}
          {isApproval ? 'will run' : 'wants to run'}{' '}
          <code>
            <ShownText text={question.tool} charsMax={120} />
          </code>
        </p>
        <StepFacts effects={question.effects} labels={question.labels} />
        <ArgumentLines given={question.arguments} />
        {isApproval && question.scopes.length > 1 && (
          <Scopes scopes={question.scopes} chosen={scope} onChoose={setScope} />
        )}
        <label for="reason">{isApproval ? 'Reason (optional)' : 'Reason, which reaches the agent'}</label>
        <textarea
          id="reason"
          rows={2}
          maxLength={REASON_MAX}
          required={!isApproval}
          value={reason}
          onInput={(event) => setReason(event.currentTarget.value)}
        />
        {isApproval && !isWhole && (
          <Check checked={isUnseen} onChange={setUnseen}>
            Approve although not all arguments are shown
          </Check>
        )}
        {questions.length > 1 && (
          <Check checked={isForAll} onChange={setForAll}>
            The same answer for all {counted(questions.length, 'identical question')}
          </Check>
        )}
        <p role="alert" class="problem">
          {isAnswered && 'Somebody else has just answered this question.'}
        </p>
        <div class="answers">
          <button type="submit" class={isApproval ? 'primary' : 'danger'} disabled={!isReady}>
            {isBusy ? 'Sending…' : isApproval ? 'Approve' : 'Deny'}
          </button>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  )
}

/** Whether the question was answered while the dialog is open. */
function useAnswered(decisionId: string | undefined): boolean {
  const [isAnswered, setAnswered] = useState(false)
  useLive({
    onBatch({ answered }) {
      if (answered.some((each) => each.decisionId === decisionId)) setAnswered(true)
    },
  })
  return isAnswered
}

function Scopes({
  scopes,
  chosen,
  onChoose,
}: {
  readonly scopes: readonly ApprovalScope[]
  readonly chosen: ApprovalScope
  readonly onChoose: (scope: ApprovalScope) => void
}) {
  return (
    <fieldset>
      <legend>For</legend>
      {scopes.map((scope) => (
        <label key={scope} class="check">
          <input type="radio" name="scope" checked={scope === chosen} onChange={() => onChoose(scope)} />
          <span>{SCOPE_WORDS[scope] ?? scope}</span>
        </label>
      ))}
    </fieldset>
  )
}

function Check({
  checked,
  onChange,
  children,
}: {
  readonly checked: boolean
  readonly onChange: (checked: boolean) => void
  readonly children: preact.ComponentChildren
}) {
  return (
    <label class="check">
      <input type="checkbox" checked={checked} onChange={(event) => onChange(event.currentTarget.checked)} />
      <span>{children}</span>
    </label>
  )
}
