import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Controls, Me } from '../../../src/api.js'
import { type Console, ConsoleContext, type Notice, createHub, useConsole } from '../api/hub.js'
import type { LiveState } from '../api/live.js'
import { secretOfTab } from '../api/login.js'
import { AppealsView } from '../appeals/appeals-view.js'
import { ControlsView } from '../controls/controls-view.js'
import { StopBanner } from '../controls/stop-banner.js'
import { useControls } from '../controls/use-controls.js'
import { FleetView } from '../fleet/fleet-view.js'
import type { RowFilter } from '../fleet/rows.js'
import { useKeys } from '../parts/keys.js'
import {
  APPEALS_LINK,
  CONTROLS_LINK,
  FLEET_LINK,
  POLICY_LINK,
  QUEUE_LINK,
  type Route,
  useRoute,
} from '../parts/route.js'
import { PolicyView } from '../policy/policy-view.js'
import { QueueView } from '../queue/queue-view.js'
import { type OpenQueue, useQueue } from '../queue/use-queue.js'
import { ReplayView } from '../replay/replay-view.js'
import { SessionView } from '../session/session-view.js'
import { Banner } from './banner.js'
import { KeyList } from './key-list.js'
import { Mark } from './mark.js'
import { lineOf } from '../text/hidden.js'

/** The page of somebody who is logged in. */
export function Shell({
  me,
  offsetMs,
  onLogin,
  onLogout,
}: {
  readonly me: Me
  readonly offsetMs: number
  readonly onLogin: () => void
  readonly onLogout: () => void
}) {
  const [live, setLive] = useState<LiveState>({ kind: 'connecting' })
  const [gaps, setGaps] = useState(0)
  const [notice, setNotice] = useState<Notice>()
  const hub = useMemo(() => createHub(setLive), [])
  useEffect(() => hub.close, [hub])
  useEffect(() => hub.follow({ onGap: () => setGaps((before) => before + 1) }), [hub])
  const shared = useMemo<Console>(
    () => ({ me, hub, now: () => Date.now() + offsetMs, notify: setNotice }),
    [me, hub, offsetMs],
  )
  return (
    <ConsoleContext.Provider value={shared}>
      <Content
        live={live}
        gaps={gaps}
        notice={notice}
        onDismiss={() => setNotice(undefined)}
        onLogin={onLogin}
        onLogout={onLogout}
      />
    </ConsoleContext.Provider>
  )
}

/** Not by the fragment, which names the view. */
function toMain(event: MouseEvent): void {
  event.preventDefault()
  document.querySelector<HTMLElement>('main')?.focus()
}

function Content({
  live,
  gaps,
  notice,
  onDismiss,
  onLogin,
  onLogout,
}: {
  readonly live: LiveState
  readonly gaps: number
  readonly notice: Notice | undefined
  readonly onDismiss: () => void
  readonly onLogin: () => void
  readonly onLogout: () => void
}) {
  const route = useRoute()
  const queue = useQueue()
  const controls = useControls()
  const [showsKeys, setShowsKeys] = useState(false)
  // Here, so that it stays while somebody looks at a session.
  const [filter, setFilter] = useState<RowFilter>({ ended: true })
  useKeys({
    '?': () => setShowsKeys(true),
    f: () => location.assign(FLEET_LINK),
    q: () => location.assign(QUEUE_LINK),
    w: () => location.assign(APPEALS_LINK),
    p: () => location.assign(POLICY_LINK),
    c: () => location.assign(CONTROLS_LINK),
  })
  useTitle(route, queue.count)
  return (
    <>
      <Header
        route={route}
        open={queue.count}
        live={live}
        onKeys={() => setShowsKeys(true)}
        onLogout={onLogout}
      />
      <Banner live={live} gaps={gaps} />
      <StopBanner controls={controls} />
      {secretOfTab() === undefined && <ReadingOnly onLogin={onLogin} />}
      <div role="status" class={notice ? `notice ${notice.kind}` : 'notice-place'}>
        {notice && (
          <>
            <span>{notice.text}</span>
            <button type="button" class="quiet" onClick={onDismiss}>
              Dismiss
            </button>
          </>
        )}
      </div>
      <main id="main" tabIndex={-1} class={route.view}>
        <View route={route} queue={queue} controls={controls} filter={filter} onFilter={setFilter} />
      </main>
      {showsKeys && <KeyList onClose={() => setShowsKeys(false)} />}
    </>
  )
}

/** Of a tab in which nobody logged in. */
function ReadingOnly({ onLogin }: { readonly onLogin: () => void }) {
  return (
    <div role="note" class="notice">
      <span>
        You logged in in another tab. You can read here; to answer questions, log in again in this tab.
      </span>
      <button type="button" class="quiet" onClick={onLogin}>
        Log in
      </button>
    </div>
  )
}

function View({
  route,
  queue,
  controls,
  filter,
  onFilter,
}: {
  readonly route: Route
  readonly queue: OpenQueue
  readonly controls: Controls | undefined
  readonly filter: RowFilter
  readonly onFilter: (filter: RowFilter) => void
}) {
  switch (route.view) {
    case 'fleet':
      return <FleetView filter={filter} onFilter={onFilter} />
    case 'queue':
      return <QueueView queue={queue} decisionId={route.decisionId} />
    case 'appeals':
      return <AppealsView />
    case 'policy':
      return <PolicyView version={route.version} code={route.code} controls={controls} />
    case 'controls':
      return <ControlsView controls={controls} scope={route.scope} />
    case 'replay':
      return <ReplayView key={route.sessionId} sessionId={route.sessionId} step={route.step} />
    case 'session':
      return <SessionView key={route.sessionId} sessionId={route.sessionId} step={route.step} />
  }
}

const VIEW_NAMES: Readonly<Record<Route['view'], string>> = {
  fleet: 'Fleet',
  queue: 'Queue',
  appeals: 'Appeals',
  policy: 'Policy',
  controls: 'Controls',
  session: 'Session',
  replay: 'Replay',
}

/** The number of questions stands in the title, for a tab in the background; the focus goes to what is new. */
function useTitle(route: Route, open: number): void {
  useEffect(() => {
    document.title = `${open > 0 ? `(${open}) ` : ''}${VIEW_NAMES[route.view]} · Plimsoll`
  }, [route.view, open])
  const isFirst = useRef(true)
  useEffect(() => {
    if (!isFirst.current) document.querySelector<HTMLElement>('main')?.focus({ preventScroll: true })
    isFirst.current = false
  }, [route.view])
}

const LIVE_WORDS: Readonly<Record<LiveState['kind'], string>> = {
  connecting: 'connecting',
  live: 'live',
  lost: 'not connected',
}

function Header({
  route,
  open,
  live,
  onKeys,
  onLogout,
}: {
  readonly route: Route
  readonly open: number
  readonly live: LiveState
  readonly onKeys: () => void
  readonly onLogout: () => void
}) {
  return (
    <header class="top">
      <a class="skip" href="#main" onClick={toMain}>
        Skip to content
      </a>
      <a class="brand" href={FLEET_LINK}>
        <Mark /> Plimsoll
      </a>
      <nav aria-label="Views">
        <a href={FLEET_LINK} aria-current={route.view === 'fleet' ? 'page' : undefined}>
          Fleet
        </a>
        <a href={QUEUE_LINK} aria-current={route.view === 'queue' ? 'page' : undefined}>
          Queue{' '}
          {open > 0 && (
            <span class="open-count">
              {open}
              <span class="visually-hidden"> open questions</span>
            </span>
          )}
        </a>
        <a href={APPEALS_LINK} aria-current={route.view === 'appeals' ? 'page' : undefined}>
          Appeals
        </a>
        <a href={POLICY_LINK} aria-current={route.view === 'policy' ? 'page' : undefined}>
          Policy
        </a>
        <a href={CONTROLS_LINK} aria-current={route.view === 'controls' ? 'page' : undefined}>
          Controls
        </a>
      </nav>
      <span class={`connection ${live.kind}`}>
        <span class="dot" aria-hidden="true" />
        {LIVE_WORDS[live.kind]}
      </span>
      <UserMenu onKeys={onKeys} onLogout={onLogout} />
    </header>
  )
}

function UserMenu({ onKeys, onLogout }: { readonly onKeys: () => void; readonly onLogout: () => void }) {
  return (
    <span class="user">
      <UserName />
      <button type="button" class="quiet keys" onClick={onKeys} aria-label="Keys">
        <kbd>?</kbd>
      </button>
      <button type="button" class="quiet" onClick={onLogout}>
        Log out
      </button>
    </span>
  )
}

function UserName() {
  const { me } = useConsole()
  return <span class="name muted">{lineOf(me.name, 40)}</span>
}
