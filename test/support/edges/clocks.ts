/** Clocks, of TypeScript and of Python. */
const READINGS =
  /\b(?:performance\.(?:now|mark|measure)|process\.(?:hrtime|cpuUsage|uptime)|Date\.now|time\.(?:monotonic|perf_counter|process_time|time)(?:_ns)?)\b/

/** Tests that may read a clock, and for what. None of them may compare what it reads. */
export const CLOCK_READERS: ReadonlyMap<string, string> = new Map([
  ['services/cli/src/local-queue.test.ts', 'when a request expires'],
  ['services/gateway/src/doors/toolhive.test.ts', 'the time of a signed request'],
  ['services/otel/src/decision-spans.test.ts', 'the time of an event'],
  ['shared/operations/src/sessions/find-proposal.test.ts', 'the age of records'],
  ['shared/operations/src/sessions/timeline.test.ts', 'the time of an event'],
  ['test/deploy/stack.engine.test.ts', 'printed: how long the stack takes to build and to decide'],
  ['test/e2e/operate/operate.test.ts', 'names that no other run has, and the time of an event'],
  ['test/e2e/hooks/real-clients.long.test.ts', 'printed: how long the first contact takes'],
  ['test/edges.test.ts', 'a text that is checked'],
  ['test/integration/gateway/platform-doors.test.ts', 'the time of a signed request'],
  ['test/integration/monitor/controls.test.ts', 'the time of an event'],
  ['test/integration/monitor/quotas.test.ts', 'waits for the window of a quota, a whole second'],
  ['test/integration/prediction/live-counts.test.ts', 'the months of counts'],
  ['test/published/packages.long.test.ts', 'printed: how long the first contact takes'],
])

/**
 * What is wrong with a test that reads a clock: a busy machine would fail it. Count steps instead (test/support/work), inject a clock
 * or mock the timers.
 */
export function clockProblems(file: string, text: string): readonly string[] {
  const reading = text.split('\n').find((line) => READINGS.test(line))
  if (reading === undefined)
    return CLOCK_READERS.has(file) ? [`${file}: reads no clock: take it from the list`] : []
  if (!CLOCK_READERS.has(file)) return [`${file}: reads a clock: ${reading.trim()}`]
  return assertionsOf(text)
    .filter((assertion) => READINGS.test(assertion))
    .map((assertion) => `${file}: asserts on a clock: ${assertion}`)
}

/** The calls of `assert`, each to the parenthesis that closes it. */
function assertionsOf(text: string): readonly string[] {
  return Array.from(text.matchAll(/\bassert\b[.\w]*\(/g), ({ 0: head, index }) => {
    let end = index + head.length
    for (let depth = 1; depth > 0 && end < text.length; end++)
      depth += text[end] === '(' ? 1 : text[end] === ')' ? -1 : 0
    return text.slice(index, end)
  })
}
