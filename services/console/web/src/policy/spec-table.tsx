import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import type { PolicyDetail, ReasonCount, SpecRow } from '../../../src/api.js'
import { useListKeys } from '../parts/list-keys.js'
import { policyLink } from '../parts/route.js'
import { ShownText } from '../parts/shown-text.js'
import { count } from '../text/format.js'
import { SOURCE_WORDS } from '../text/words.js'

/** The specs of a policy, those that mattered most first. */
export function SpecTable({
  shown: { version, name, specs, isCut },
  code,
}: {
  readonly shown: PolicyDetail
  readonly code: string | undefined
}) {
  const list = useRef<HTMLTableSectionElement>(null)
  useListKeys(list, 'a')
  const idle = specs.filter(({ sessions }) => sessions === 0).length
  return (
    <section class="specs" aria-labelledby="specs-title">
      <h2 id="specs-title">
        Specs of <ShownText text={name} charsMax={80} />{' '}
        <span class="muted count">{count(specs.length)}</span>
      </h2>
      {specs.length === 0 ? (
        <p class="muted">It has no specs: the checks below judge alone.</p>
      ) : (
        <CountTable noun="spec" isAllowing>
          <tbody ref={list}>
            {specs.map((spec) => (
              <SpecLine key={spec.id} version={version} spec={spec} isCurrent={spec.id === code} />
            ))}
          </tbody>
        </CountTable>
      )}
      {idle > 0 && <p class="muted">{count(idle)} of them mattered in no session that is kept.</p>}
      {isCut && <p class="muted">There are more specs than are shown.</p>}
    </section>
  )
}

function SpecLine({
  version,
  spec: { id, tier, message, requirements, ...counts },
  isCurrent,
}: {
  readonly version: string
  readonly spec: SpecRow
  readonly isCurrent: boolean
}) {
  return (
    <tr aria-current={isCurrent ? 'true' : undefined}>
      <th scope="row">
        <a href={policyLink(version, id)}>
          <code>
            <ShownText text={id} charsMax={120} />
          </code>
        </a>{' '}
        <span class="flag plain">{tier}</span>
        {message !== undefined && (
          <p>
            <ShownText text={message} charsMax={300} />
          </p>
        )}
        {requirements !== undefined && requirements.length > 0 && (
          <p class="muted">
            <ShownText text={`requirement ${requirements.join(', ')}`} charsMax={200} />
          </p>
        )}
      </th>
      <Counts {...counts} isAllowing />
    </tr>
  )
}

/** What mattered and is no spec of the policy: built-in checks, and specs of other policies. */
export function ReasonTable({
  version,
  rows,
  code: current,
}: {
  readonly version: string
  readonly rows: readonly ReasonCount[]
  readonly code: string | undefined
}) {
  if (rows.length === 0) return null
  return (
    <section class="specs" aria-labelledby="checks-title">
      <h2 id="checks-title">Checks besides these specs</h2>
      <CountTable noun="check">
        <tbody>
          {rows.map(({ source, code, ...counts }) => (
            <tr key={`${source} ${code}`} aria-current={code === current ? 'true' : undefined}>
              <th scope="row">
                <a href={policyLink(version, code)}>
                  <code>
                    <ShownText text={code} charsMax={120} />
                  </code>
                </a>{' '}
                <span class="muted">
                  <ShownText
                    text={Object.hasOwn(SOURCE_WORDS, source) ? SOURCE_WORDS[source] : source}
                    charsMax={80}
                  />
                </span>
              </th>
              <Counts {...counts} />
            </tr>
          ))}
        </tbody>
      </CountTable>
    </section>
  )
}

function CountTable({
  noun,
  isAllowing = false,
  children,
}: {
  readonly noun: string
  readonly isAllowing?: boolean
  readonly children: ComponentChildren
}) {
  const heads = ['asked', 'blocked', 'warned', ...(isAllowing ? ['lifted'] : []), 'sessions']
  return (
    <div class="scroll">
      <table>
        <thead>
          <tr>
            <th scope="col">{noun}</th>
            {heads.map((head) => (
              <th key={head} scope="col" class="number">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        {children}
      </table>
    </div>
  )
}

function Counts({
  asked,
  blocked,
  warned,
  lifted,
  sessions,
  isAllowing = false,
}: Omit<ReasonCount, 'source' | 'code'> & { readonly isAllowing?: boolean }) {
  return (
    <>
      {[asked, blocked, warned, ...(isAllowing ? [lifted] : []), sessions].map((value, at) => (
        <td key={at} class={value > 0 ? 'number some' : 'number muted'}>
          {count(value)}
        </td>
      ))}
    </>
  )
}
