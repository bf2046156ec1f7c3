import { useRef, useState } from 'preact/hooks'
import type { ControlEntry, ControlScope, ControlSetting, Controls } from '../../../src/api.js'
import { useConsole } from '../api/hub.js'
import { useKeys } from '../parts/keys.js'
import { useListKeys } from '../parts/list-keys.js'
import { controlsLink } from '../parts/route.js'
import { ShownText } from '../parts/shown-text.js'
import { counted, isoTime, momentOf } from '../text/format.js'
import { ACTION_WORDS, type ControlAction, entryWords } from './actions.js'
import { ControlDialog } from './control-dialog.js'
import { ScopeForm } from './scope-form.js'
import { inForceFor, isSameScope, scopeWords, whyNoChange } from './scopes.js'

const SETTING_WORDS: Readonly<Record<ControlSetting['setting'], string>> = {
  stop: 'stopped',
  observe: 'observe',
  enforce: 'enforce',
}

/** @param scope that the address names: what the buttons are for */
export function ControlsView({
  controls,
  scope,
}: {
  readonly controls: Controls | undefined
  readonly scope: ControlScope
}) {
  if (controls === undefined) return <p class="empty">Fetching the controls…</p>
  return (
    <>
      <h1 class="visually-hidden">Controls</h1>
      <div class="columns">
        <div class="course">
          <ScopeCard key={controlsLink(scope)} controls={controls} scope={scope} />
          <Settings controls={controls} scope={scope} />
        </div>
        <History history={controls.history} />
      </div>
    </>
  )
}

/** What counts for a scope, and the ways to change it. */
function ScopeCard({ controls, scope }: { readonly controls: Controls; readonly scope: ControlScope }) {
  const { me } = useConsole()
  const [asked, setAsked] = useState<ControlAction>()
  const { mode, stop } = inForceFor(controls.settings, scope)
  const problem = whyNoChange(me, controls, scope)
  const offered = problem === undefined ? actionsFor(controls, scope) : []
  const ask = (action: ControlAction) => () => {
    if (offered.includes(action)) setAsked(action)
  }
  const stopping = offered.includes('resume') ? 'resume' : 'stop'
  useKeys({ s: ask(stopping), o: ask('observe'), e: ask('enforce') })
  return (
    <section class="scope-card" aria-labelledby="scope-title">
      <h2 id="scope-title">{scopeWords(scope)}</h2>
      <ScopeForm controls={controls} scope={scope} />
      <p class={`in-force ${stop === undefined ? (mode?.setting ?? 'enforce') : 'stop'}`}>
        <b>
          {stop !== undefined
            ? '■ Stopped: every step is blocked'
            : mode?.setting === 'observe'
              ? '◐ Observed: every step runs'
              : '● Enforced: agents wait for verdicts'}
        </b>
        <Origin setting={stop ?? mode} scope={scope} />
        {stop !== undefined && (
          <span class="muted">Once resumed: {mode?.setting === 'observe' ? 'observed' : 'enforced'}.</span>
        )}
      </p>
      {problem !== undefined && <p class="muted">{problem}</p>}
      <div class="answers">
        {offered.map((action) => (
          <button
            key={action}
            type="button"
            class={action === 'stop' ? 'danger' : action === 'resume' ? 'primary' : undefined}
            onClick={ask(action)}
          >
            {ACTION_WORDS[action]}… {keyOf(action) !== undefined && <kbd>{keyOf(action)}</kbd>}
          </button>
        ))}
      </div>
      {asked !== undefined && (
        <ControlDialog action={asked} scope={scope} onClose={() => setAsked(undefined)} />
      )}
    </section>
  )
}

const KEYS: Readonly<Partial<Record<ControlAction, string>>> = {
  stop: 's',
  resume: 's',
  observe: 'o',
  enforce: 'e',
}
const keyOf = (action: ControlAction): string | undefined => KEYS[action]

/** What would change something for exactly this scope. */
function actionsFor({ settings }: Controls, scope: ControlScope): readonly ControlAction[] {
  const own = settings.filter((each) => isSameScope(each, scope))
  const mode = own.find(({ setting }) => setting !== 'stop')
  const isStopped = own.some(({ setting }) => setting === 'stop')
  return [
    ...(scope.agent === undefined ? [isStopped ? ('resume' as const) : ('stop' as const)] : []),
    ...(mode?.setting === 'observe' ? [] : ['observe' as const]),
    ...(mode?.setting === 'enforce' ? [] : ['enforce' as const]),
    ...(mode === undefined ? [] : ['inherit' as const]),
  ]
}

function Origin({
  setting,
  scope,
}: {
  readonly setting: ControlSetting | undefined
  readonly scope: ControlScope
}) {
  if (setting === undefined) return <span class="muted">Nothing is set: this is the default.</span>
  return (
    <span class="muted">
      {isSameScope(setting, scope) ? 'Set' : `Set for ${scopeWords(setting)}`} by <Who {...setting} />
    </span>
  )
}

function Who({ by, at, reason }: Pick<ControlEntry, 'by' | 'at' | 'reason'>) {
  return (
    <>
      <ShownText text={by} charsMax={80} /> at <time dateTime={isoTime(at)}>{momentOf(at)}</time>
      {reason !== undefined && (
        <>
          : “<ShownText text={reason} charsMax={600} />”
        </>
      )}
    </>
  )
}

function Settings({ controls, scope }: { readonly controls: Controls; readonly scope: ControlScope }) {
  const list = useRef<HTMLTableSectionElement>(null)
  useListKeys(list, 'a')
  const { settings, differing, stragglers } = controls
  return (
    <section class="settings" aria-labelledby="settings-title">
      <h2 id="settings-title">
        In force <span class="muted count">{settings.length}</span>
      </h2>
      {(differing.length > 0 || stragglers.length > 0) && <Unsettled controls={controls} />}
      {settings.length === 0 ? (
        <p class="muted">Nothing is set: all verdicts are enforced, and nobody is stopped.</p>
      ) : (
        <table>
          <thead>
            <tr>
              <th scope="col">For</th>
              <th scope="col">Setting</th>
              <th scope="col">By whom, when and why</th>
            </tr>
          </thead>
          <tbody ref={list}>
            {settings.map((setting) => (
              <tr key={`${setting.setting === 'stop'} ${controlsLink(setting)}`}>
                <th scope="row">
                  <a
                    href={controlsLink(setting)}
                    aria-current={isSameScope(setting, scope) ? 'true' : undefined}
                  >
                    {scopeWords(setting)}
                  </a>
                </th>
                <td>
                  <span class={`setting ${setting.setting}`}>{SETTING_WORDS[setting.setting]}</span>
                </td>
                <td>
                  <Who {...setting} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}

/** Partitions whose monitors have not read the latest change, or refused it. */
function Unsettled({ controls: { partitions, differing, stragglers } }: { readonly controls: Controls }) {
  const refused = stragglers.flatMap((each) => each.refused ?? [])
  const text =
    refused.length > 0
      ? `${counted(refused.length, 'partition')} of ${partitions} refused the latest change (${[...new Set(refused)].join(', ')}): send it again.`
      : stragglers.length > 0
        ? `${counted(stragglers.length, 'partition')} of ${partitions} have not reported the latest change yet.`
        : `In ${counted(differing.length, 'partition')} of ${partitions} something else is in force.`
  return <p class="problem">{text}</p>
}

function History({ history }: { readonly history: readonly ControlEntry[] }) {
  return (
    <aside class="history" aria-labelledby="history-title">
      <section>
        <h2 id="history-title">Changes, newest first</h2>
        {history.length === 0 && <p class="muted">Nobody has changed anything yet.</p>}
        <ol>
          {history.map((entry) => (
            <li key={entry.id}>
              {entryWords(entry)} <span class="muted">by</span> <Who {...entry} />
            </li>
          ))}
        </ol>
      </section>
    </aside>
  )
}
