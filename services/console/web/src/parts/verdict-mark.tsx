import type { Verdict } from '@plimsoll/contracts'

/** Sign, word and colour of each verdict: the colour alone says nothing that the others do not. */
export const VERDICT_SIGNS: Readonly<Record<Verdict, string>> = {
  allow: '✓',
  warn: '!',
  confirm: '?',
  block: '✕',
}

export const VERDICT_MEANINGS: Readonly<Record<Verdict, string>> = {
  allow: 'the step runs',
  warn: 'the step runs, with a warning',
  confirm: 'the step waits for a human',
  block: 'the step does not run',
}

export function VerdictMark({ verdict }: { readonly verdict: Verdict }) {
  return (
    <span class={`verdict ${verdict}`} title={VERDICT_MEANINGS[verdict]}>
      <span class="sign" aria-hidden="true">
        {VERDICT_SIGNS[verdict]}
      </span>
      {verdict}
    </span>
  )
}
