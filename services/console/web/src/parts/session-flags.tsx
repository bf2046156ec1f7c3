import type { SessionRow } from '../../../src/api.js'
import { counted } from '../text/format.js'

/** What sets a session apart from others of its risk. */
export function SessionFlags({ row }: { readonly row: SessionRow }) {
  const { openQuestions, violations, withoutVerdict, pointOfNoReturn, parent } = row
  return (
    <span class="flags">
      {openQuestions > 0 && <span class="flag question">? {counted(openQuestions, 'question')}</span>}
      {violations > 0 && <span class="flag violation">✕ {counted(violations, 'violation')}</span>}
      {pointOfNoReturn !== undefined && (
        <span
          class="flag no-return"
          title={`A violation within ${counted(pointOfNoReturn, 'further step')} is more likely than not`}
        >
          ▲ no return
        </span>
      )}
      {withoutVerdict > 0 && <span class="flag">! {withoutVerdict} without a verdict</span>}
      {parent !== undefined && <span class="flag plain">sub-session</span>}
    </span>
  )
}
