import { plainText } from '../plain-text.js'

export interface PlayedCase {
  readonly file: string
  readonly name: string
  /** Where the answers are others than expected; empty where they are not. */
  readonly problems: readonly string[]
}

export function casesText(
  played: readonly PlayedCase[],
  { passed, failed }: { passed: number; failed: number },
): string {
  const lines = played.flatMap(({ file, name, problems }) => [
    `${problems.length > 0 ? 'not ok' : 'ok'}  ${file}: ${name}`,
    ...problems.map((problem) => `        ${problem}`),
  ])
  return `${[...lines, `${passed} passed, ${failed} failed`].map(plainText).join('\n')}\n`
}
