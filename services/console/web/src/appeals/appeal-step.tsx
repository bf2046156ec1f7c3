import { useState } from 'preact/hooks'
import type { AppealRequest, Step, StepAppeal } from '../../../src/api.js'
import { useConsole } from '../api/hub.js'
import { RequestProblem, appealStep } from '../api/requests.js'
import { Dialog } from '../parts/dialog.js'
import { ShownText } from '../parts/shown-text.js'
import { VerdictMark } from '../parts/verdict-mark.js'
import { whyNot } from '../queue/may-answer.js'
import { momentOf } from '../text/format.js'
import { expectedWords } from './appeal-words.js'

/** Of the API. */
const REASON_MAX = 500

type Expected = NonNullable<AppealRequest['expected']>

const CHOICES: readonly (readonly [Expected, string])[] = [
  ['allow', 'It should have run: it was stopped or asked about for nothing'],
  ['block', 'It should have been blocked: the step did harm'],
]

/** The way to say that the decision on a step was wrong; nothing for those who may not. */
export function AppealButton({ tenant, step }: { readonly tenant: string; readonly step: Step }) {
  const { me } = useConsole()
  const [isOpen, setOpen] = useState(false)
  if (step.decisionId === undefined || step.step === 0 || whyNot(me, tenant) !== undefined) return null
  return (
    <p>
      <button type="button" class="appeal-button" onClick={() => setOpen(true)}>
        This decision was wrong…
      </button>
      {isOpen && <AppealDialog step={step} decisionId={step.decisionId} onClose={() => setOpen(false)} />}
    </p>
  )
}

function AppealDialog({
  step: { tool, verdict, firstVerdict },
  decisionId,
  onClose,
}: {
  readonly step: Step
  readonly decisionId: string
  readonly onClose: () => void
}) {
  const { notify } = useConsole()
  const first = firstVerdict ?? verdict ?? 'allow'
  const [expected, setExpected] = useState<Expected>(
    first === 'confirm' || first === 'block' ? 'allow' : 'block',
  )
  const [reason, setReason] = useState('')
  const [isBusy, setBusy] = useState(false)
  const text = reason.replaceAll(/\s+/g, ' ').trim()
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    if (isBusy) return
    setBusy(true)
    try {
      await appealStep(decisionId, { expected, ...(text !== '' && { reason: text }) })
      notify({ kind: 'done', text: 'Recorded. No verdict changes: it counts for policies and fits.' })
    } catch (cause) {
      const why = cause instanceof RequestProblem || cause instanceof Error ? cause.message : String(cause)
      notify({ kind: 'problem', text: `Nothing was recorded: ${why}` })
    }
    onClose()
  }
  return (
    <Dialog title="Was this decision wrong?" onClose={onClose}>
      <form class="answer-form" onSubmit={(event) => void submit(event)}>
        <p>
          <VerdictMark verdict={first} />{' '}
          <code>
            <ShownText text={tool} charsMax={120} />
          </code>
        </p>
        <fieldset>
          <legend>What it should have been</legend>
          {CHOICES.map(([choice, words]) => (
            <label key={choice} class="check">
              <input
                type="radio"
                name="expected"
                checked={choice === expected}
                onChange={() => setExpected(choice)}
              />
              <span>{words}</span>
            </label>
          ))}
        </fieldset>
        <label for="reason">Reason (optional)</label>
        <textarea
          id="reason"
          rows={2}
          maxLength={REASON_MAX}
          value={reason}
          onInput={(event) => setReason(event.currentTarget.value)}
        />
        <p class="muted">
          Recorded with your name. No verdict changes. To run the step, approve it when it is proposed again.
        </p>
        <div class="answers">
          <button type="submit" class="primary" disabled={isBusy}>
            {isBusy ? 'Sending…' : 'Record it'}
          </button>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  )
}

/** What somebody said against a step's decision. */
export function AppealNote({ appeal }: { readonly appeal: StepAppeal | undefined }) {
  if (appeal === undefined) return null
  return (
    <p class="appeal">
      <b>✎ appealed</b> by <ShownText text={appeal.by} charsMax={80} /> at {momentOf(appeal.at)}:{' '}
      {expectedWords(appeal)}
      {appeal.reason !== undefined && (
        <>
          : “<ShownText text={appeal.reason} charsMax={600} />”
        </>
      )}
    </p>
  )
}
