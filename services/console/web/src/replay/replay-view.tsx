import { useEffect, useMemo, useRef } from 'preact/hooks'
import type { SessionPage } from '../../../src/api.js'
import { useKeys } from '../parts/keys.js'
import { FLEET_LINK, replayLink, sessionLink } from '../parts/route.js'
import { ShownText } from '../parts/shown-text.js'
import { NoSession } from '../session/no-session.js'
import { RiskCurve } from '../session/risk-curve.js'
import { nameOf, placeOf } from '../session/step-names.js'
import { Notes } from '../session/session-notes.js'
import { Timeline } from '../session/timeline.js'
import { useSession } from '../session/use-session.js'
import { stepsAsKnown, timeOf } from './as-known.js'
import { CursorBar } from './cursor-bar.js'
import { StateCard } from './state-card.js'

/** In an address: behind the last step. */
const END = 'end'

/** @param step at which the cursor is; the first without it */
export function ReplayView({
  sessionId,
  step,
}: {
  readonly sessionId: string
  readonly step: string | undefined
}) {
  const state = useSession(sessionId)
  if (state.kind !== 'shown') return <NoSession sessionId={sessionId} state={state} />
  if (state.page.steps.length === 0)
    return (
      <p class="empty">
        <a href={sessionLink(sessionId)}>The session</a> has no step yet.
      </p>
    )
  return <Replay page={state.page} step={step} />
}

/** The session as it was known when the step at the cursor was decided. */
function Replay({ page, step }: { readonly page: SessionPage; readonly step: string | undefined }) {
  const { session, steps, thresholds, isCut } = page
  const last = steps.length
  const found = placeOf(steps, step)
  const place = step === END ? last : Math.max(0, found)
  const isLost = step !== undefined && step !== END && found < 0
  const nameAt = (at: number): string => (at >= last ? END : nameOf(steps, at))
  // Each move replaces the address: going back leaves the replay.
  const move = (to: number) =>
    location.replace(replayLink(session.id, nameAt(Math.min(Math.max(to, 0), last))))
  useKeys({
    ArrowLeft: () => move(place - 1),
    ArrowRight: () => move(place + 1),
    Home: () => move(0),
    End: () => move(last),
    v: () => location.assign(sessionLink(session.id, place < last ? nameAt(place) : undefined)),
  })
  const known = useMemo(() => stepsAsKnown(steps, place), [steps, place])
  const current = steps[place]
  const untilMs = current === undefined ? Infinity : timeOf(current)
  const bar = useRef<HTMLDivElement>(null)
  // The cursor stays in sight while the steps below it change.
  useEffect(() => bar.current?.scrollIntoView({ block: 'nearest' }), [place])
  return (
    <>
      <header class="session-head">
        <p class="path">
          <a href={FLEET_LINK}>Fleet</a> <span class="muted">/</span>{' '}
          <a href={sessionLink(session.id)}>
            <ShownText text={session.id} charsMax={120} />
          </a>
        </p>
        <h1>
          Replay of <ShownText text={session.agent ?? session.id} charsMax={120} />
        </h1>
        {page.task !== undefined && (
          <p class="task">
            <span class="muted">Task:</span> <ShownText text={page.task} charsMax={600} />
          </p>
        )}
      </header>
      {isLost && (
        <p class="problem" role="status">
          There is no step <ShownText text={step} charsMax={120} /> here: the first is shown.
        </p>
      )}
      <div ref={bar}>
        <CursorBar place={place} last={last} onMove={move} />
      </div>
      <div class="columns">
        <div class="course">
          <RiskCurve steps={known} thresholds={thresholds} onStep={move} />
          <Timeline
            sessionId={session.id}
            tenant={session.tenant}
            steps={known}
            isCut={isCut}
            thresholds={thresholds?.forward}
            current={current && nameOf(known, known.length - 1)}
            linkOf={replayLink}
            isLatestFirst
          />
        </div>
        <aside aria-label="What was known">
          <StateCard known={known} isEnd={place === last} thresholds={thresholds?.forward ?? []} />
          <Notes notes={page.notes.filter(({ at }) => at <= untilMs)} />
        </aside>
      </div>
    </>
  )
}
