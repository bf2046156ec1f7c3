import type { Met } from '../../../src/api.js'
import { policyLink, sessionLink } from '../parts/route.js'
import { ShownText } from '../parts/shown-text.js'
import { VerdictMark } from '../parts/verdict-mark.js'
import { count, isoTime, momentOf } from '../text/format.js'

/** The steps in which a spec or a check mattered, with the spec itself. */
export function MetSteps({
  code,
  version,
  met,
}: {
  readonly code: string
  readonly version: string
  readonly met: Met | undefined
}) {
  return (
    <section class="met" aria-labelledby="met-title">
      <h2 id="met-title">
        Steps that met <ShownText text={code} charsMax={120} />{' '}
        <span class="muted count">{met && count(met.count)}</span>
      </h2>
      <p>
        <a href={policyLink(version)}>Close</a>
      </p>
      {met?.spec !== undefined && (
        <pre tabIndex={0} aria-label="The spec">
          <ShownText text={met.spec} breaks charsMax={8_000} />
        </pre>
      )}
      {met === undefined && <p class="muted">Fetching the steps…</p>}
      {met?.steps.length === 0 && <p class="muted">None of the steps that are kept.</p>}
      <ol>
        {met?.steps.map(({ sessionId, eventId, agent, step, tool, at, verdict }) => (
          <li key={`${sessionId} ${eventId}`}>
            <span class="line">
              <VerdictMark verdict={verdict} />
              <a href={sessionLink(sessionId, eventId)}>
                <code>
                  <ShownText text={tool} charsMax={80} />
                </code>{' '}
                of <ShownText text={agent ?? sessionId} charsMax={80} />, step {step}
              </a>
            </span>
            <time class="muted" dateTime={isoTime(at)}>
              {momentOf(at)}
            </time>
          </li>
        ))}
      </ol>
    </section>
  )
}
