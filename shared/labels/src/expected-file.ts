import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'

/**
 * Holds a reader against a file of expected lines, so that a change of the reading shows in it line by line. For tests. In a run
 * whose environment has PLIMSOLL_WRITE_EXPECTED=1 the file is written anew instead: look at each line that changed.
 *
 * @param readLine gives the line as it reads today, from a line as it stands in the file.
 * @param env the environment of the run.
 */
export function assertReadsAsExpected(file: URL, readLine: (line: string) => string, env: Environment): void {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  const found = lines.map(readLine)
  if (env['PLIMSOLL_WRITE_EXPECTED'] === '1') {
    writeFileSync(file, `${found.join('\n')}\n`)
    return
  }
  assert.deepEqual(
    found.filter((line, i) => line !== lines[i]),
    lines.filter((line, i) => line !== found[i]),
  )
}

type Environment = Readonly<Record<string, string | undefined>>
