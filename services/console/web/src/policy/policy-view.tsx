import type { Controls, PolicyRow } from '../../../src/api.js'
import { inForceFor } from '../controls/scopes.js'
import { POLICY_LINK, controlsLink, policyLink } from '../parts/route.js'
import { ShownText } from '../parts/shown-text.js'
import { count, counted, isoTime, momentOf } from '../text/format.js'
import { MetSteps } from './met-steps.js'
import { ReasonTable, SpecTable } from './spec-table.js'
import { useMet, usePolicies } from './use-policies.js'

/**
 * @param version of the policy that the address names; without it the first is shown
 * @param code of a spec or a check whose steps are shown
 */
export function PolicyView({
  version,
  code,
  controls,
}: {
  readonly version: string | undefined
  readonly code: string | undefined
  readonly controls: Controls | undefined
}) {
  const policies = usePolicies(version)
  const shown = policies?.shown
  const met = useMet(code, shown?.version ?? version)
  if (policies === undefined) return <p class="empty">Fetching the policies…</p>
  const current = shown?.version ?? version ?? policies.policies[0]?.version ?? ''
  return (
    <>
      <h1 class="visually-hidden">Policy</h1>
      <div class={code === undefined ? 'columns' : 'columns named'}>
        <div class="course">
          {shown === undefined ? (
            <section class="specs">
              <p class="muted">
                {policies.policies.length === 0
                  ? 'No session was judged yet, and no policy is active in the registry.'
                  : 'Neither the registry nor this console has the document of this policy.'}
              </p>
            </section>
          ) : (
            <SpecTable shown={shown} code={code} />
          )}
          <ReasonTable version={current} rows={policies.others} code={code} />
        </div>
        <aside aria-label="Policies and steps">
          {code !== undefined && <MetSteps code={code} version={current} met={met} />}
          <PolicyList
            rows={policies.policies}
            current={current}
            settings={controls?.settings ?? NO_SETTINGS}
          />
        </aside>
      </div>
    </>
  )
}

const NO_SETTINGS: Controls['settings'] = []

function PolicyList({
  rows,
  current,
  settings,
}: {
  readonly rows: readonly PolicyRow[]
  readonly current: string
  readonly settings: Controls['settings']
}) {
  return (
    <section class="policies" aria-labelledby="policies-title">
      <h2 id="policies-title">
        <a href={POLICY_LINK}>Policies</a> <span class="muted count">{count(rows.length)}</span>
      </h2>
      <ul>
        {rows.map((row) => (
          <PolicyItem key={row.version} row={row} isCurrent={row.version === current} settings={settings} />
        ))}
      </ul>
    </section>
  )
}

function PolicyItem({
  row,
  isCurrent,
  settings,
}: {
  readonly row: PolicyRow
  readonly isCurrent: boolean
  readonly settings: Controls['settings']
}) {
  const { version, name, isActive, isShadow, isRegistered, uses } = row
  return (
    <li>
      <span class="line">
        <a href={policyLink(version)} aria-current={isCurrent ? 'true' : undefined}>
          <ShownText text={name ?? 'not known here'} charsMax={80} />
        </a>
        {isActive && <span class="flag">active</span>}
        {isShadow && <span class="flag">shadow</span>}
        {!isRegistered && <span class="flag plain">not registered</span>}
      </span>
      <code class="muted">
        <ShownText text={version} charsMax={40} />
      </code>
      {uses.length === 0 && <span class="muted">Judges no session that is kept.</span>}
      {uses.map(({ tenant, live, sessions, lastAt }) => (
        <span key={tenant}>
          tenant <ShownText text={tenant} charsMax={80} />: {counted(live, 'live session')} of{' '}
          {count(sessions)}, last at <time dateTime={isoTime(lastAt)}>{momentOf(lastAt)}</time>
          <TenantMode settings={settings} tenant={tenant} />
        </span>
      ))}
    </li>
  )
}

/** Whether the policy's verdicts are enforced for a tenant: nothing where they are. */
function TenantMode({
  settings,
  tenant,
}: {
  readonly settings: Controls['settings']
  readonly tenant: string
}) {
  const { mode, stop } = inForceFor(settings, { tenant })
  const word = stop !== undefined ? 'stopped' : mode?.setting === 'observe' ? 'observed only' : undefined
  if (word === undefined) return null
  return (
    <>
      {' · '}
      <a href={controlsLink({ tenant })}>{word}</a>
    </>
  )
}
