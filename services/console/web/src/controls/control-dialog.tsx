import { useEffect, useRef, useState } from 'preact/hooks'
import type { ControlScope } from '../../../src/api.js'
import { useConsole } from '../api/hub.js'
import { fetchFleet } from '../api/requests.js'
import { Dialog } from '../parts/dialog.js'
import { counted } from '../text/format.js'
import { lineOf } from '../text/hidden.js'
import { ACTION_WORDS, type ControlAction, consequencesOf, sendChange } from './actions.js'
import { scopeWords } from './scopes.js'

/** Of the API. */
const REASON_MAX = 500

/** Confirms a change: says what will happen to how many sessions, and takes the reason. */
export function ControlDialog({
  action,
  scope: given,
  onClose,
}: {
  readonly action: ControlAction
  readonly scope: ControlScope
  readonly onClose: () => void
}) {
  // What is confirmed stays what was shown.
  const { current: scope } = useRef(given)
  const { me, notify } = useConsole()
  const [reason, setReason] = useState('')
  const [isBusy, setBusy] = useState(false)
  const live = useLiveSessions(scope)
  const text = reason.replaceAll(/\s+/g, ' ').trim()
  const isReady = !isBusy && text !== ''
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    if (!isReady) return
    setBusy(true)
    notify(await sendChange({ action, ...scope, reason: text }))
    onClose()
  }
  const isSevere = action === 'stop' || action === 'observe'
  return (
    <Dialog title={`${ACTION_WORDS[action]}: ${scopeWords(scope)}?`} onClose={onClose}>
      <form class="answer-form" onSubmit={(event) => void submit(event)}>
        <ul class="consequences">
          {consequencesOf(action, scope).map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
        <p class="concerned">{liveWords(live)}</p>
        <label for="reason">Reason, recorded with your name{action === 'stop' && '; agents get it'}</label>
        <textarea
          id="reason"
          rows={2}
          maxLength={REASON_MAX}
          required
          value={reason}
          onInput={(event) => setReason(event.currentTarget.value)}
        />
        <div class="answers">
          <button type="submit" class={isSevere ? 'danger' : 'primary'} disabled={!isReady}>
            {isBusy ? 'Sending…' : `${ACTION_WORDS[action]} as ${lineOf(me.name, 40)}`}
          </button>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  )
}

function liveWords(live: LiveSessions): string {
  if (live === 'counting') return 'Counting live sessions…'
  if (live === 'unknown') return 'How many live sessions it concerns is not known.'
  return `Concerns ${counted(live, 'live session')} now.`
}

type LiveSessions = number | 'counting' | 'unknown'

/** How many sessions a change concerns. */
function useLiveSessions(scope: ControlScope): LiveSessions {
  const [live, setLive] = useState<LiveSessions>('counting')
  useEffect(() => {
    let isShown = true
    void fetchFleet({ ...scope }, 1).then(
      ({ totals }) => isShown && setLive(totals.live),
      () => isShown && setLive('unknown'),
    )
    return () => void (isShown = false)
  }, [scope])
  return live
}
