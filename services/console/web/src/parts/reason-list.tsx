import type { Reason } from '@plimsoll/contracts'
import { SOURCE_WORDS } from '../text/words.js'
import { ShownText } from './shown-text.js'
import { VerdictMark } from './verdict-mark.js'

/** Every reason of a decision, those that count first; what an allowlist or an approval lifted is listed too. */
export function ReasonList({ reasons }: { readonly reasons: readonly Reason[] }) {
  const sorted = [...reasons].sort(
    (a, b) => Number(a.liftedBy !== undefined) - Number(b.liftedBy !== undefined),
  )
  return (
    <ul class="reasons">
      {sorted.map((reason, at) => (
        <ReasonItem key={at} reason={reason} />
      ))}
    </ul>
  )
}

function ReasonItem({ reason }: { readonly reason: Reason }) {
  const { verdict, message, source, code, requirements, liftedBy } = reason
  return (
    <li class={liftedBy === undefined ? 'reason' : 'reason lifted'}>
      <VerdictMark verdict={verdict} />
      <div>
        <ShownText text={message} />
        <span class="origin muted">
          {SOURCE_WORDS[source] ?? source}
          {' · '}
          <code>
            <ShownText text={code} charsMax={80} />
          </code>
          {requirements !== undefined && requirements.length > 0 && (
            <>
              {' · '}
              <ShownText text={`requirement ${requirements.join(', ')}`} charsMax={200} />
            </>
          )}
          {liftedBy !== undefined && (
            <>
              {' · '}
              <ShownText text={`lifted by ${liftedBy}`} charsMax={120} />
            </>
          )}
        </span>
      </div>
    </li>
  )
}
