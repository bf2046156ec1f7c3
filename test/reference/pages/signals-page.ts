import { SIGNALS } from '@plimsoll/contracts'

/** The text of docs/reference/signals.md: every signal of the contracts, with its meaning. */
export function signalsPage(): string {
  return [
    '# Signals',
    '',
    'What a client reports of a text in an event, beside labels and fingerprints. Each signal is a number from 0 to 1; an absent one is 0.',
    'This page is made from the list in `shared/contracts/src/events/signals.ts`: `npm run reference` writes it, and a test fails if the',
    'two differ.',
    '',
    'The list is closed. A name that is not here is dropped from the event, which is judged without it. A monitor counts it in',
    '`plimsoll_unknown_signals_total`, a gateway in `plimsoll_gateway_unknown_signals_total`.',
    '',
    '| signal | meaning |',
    '|---|---|',
    ...Object.entries(SIGNALS).map(([name, meaning]) => `| \`${name}\` | ${meaning} |`),
    '',
  ].join('\n')
}
