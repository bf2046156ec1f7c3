import { ERRORS } from '@plimsoll/contracts'

/** The text of docs/reference/errors.md: every code of the catalogue, and what to do. */
export function errorsPage(): string {
  return [
    '# Errors',
    '',
    'Every error Plimsoll gives has one of these codes. This page is made from the catalogue in `shared/contracts/src/errors.ts`:',
    '`npm run reference` writes it, and a test fails if the two differ.',
    '',
    '## Of events',
    '',
    'An event that cannot be judged is never dropped. It becomes a dead letter with its code. A client that waits for a verdict is',
    'answered `block`, with the code as the reason.',
    '',
    ...entriesOf('event'),
    '## Of processes',
    '',
    'What a command, a service or the SDK reports or throws (`PlimsollError`, with `code`, `retryable`, `cause` and `details`).',
    '',
    ...entriesOf('process'),
  ]
    .join('\n')
    .trimEnd()
    .concat('\n')
}

function entriesOf(wanted: 'event' | 'process'): string[] {
  return Object.entries(ERRORS)
    .filter(([, { kind }]) => kind === wanted)
    .flatMap(([code, { retryable, help }]) => {
      const again = retryable ? 'Trying again can help.' : 'Trying again does not help.'
      return [`### \`${code}\``, '', `${sentence(help)} ${again}`, '']
    })
}

const sentence = (help: string): string => `${help.charAt(0).toUpperCase()}${help.slice(1)}.`
