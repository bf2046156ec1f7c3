import { patternOf, readTable } from '../text/data.js'
import { createTokenScanner } from '../text/tokens.js'
import { type InstructionReading, readInstructions } from './read.js'
import type { InstructionModel } from './score.js'

/**
 * Lines in which a program of this machine says what it would do or how to go on, each in the program's own words: `Would remove dist/` of
 * `git clean -n`. The group `path` is what others may have named.
 */
const REPORTS = readTable<readonly string[]>('instructions', 'ownReports').map(patternOf)
/** Between the words of a path. */
const JOINERS = /[^\p{L}\p{N}]+/gu

const scan = createTokenScanner()

const NOTHING: InstructionReading = { score: 0, segments: [], signals: {} }

/**
 * A reading of what a command line printed, without passages that consist of such lines: a preview directs nothing, nor does the step that does what
 * it showed. A passage stays if one of its lines is another's, or if the paths alone read like instructions: a file may be called so. Linear in the text.
 *
 * @param reading of `text` by `model`
 */
export function withoutOwnReports(
  reading: InstructionReading,
  text: string,
  model: InstructionModel,
): InstructionReading {
  const { segments } = reading
  if (segments.length === 0) return reading
  const left = segments.filter((segment) => !isOwnReport(linesAround(text, segment), model))
  if (left.length === segments.length) return reading
  return left.length === 0 ? NOTHING : { ...reading, segments: left }
}

/** The whole lines in which a passage lies. */
function linesAround(text: string, [start, end]: readonly [number, number]): readonly string[] {
  const first = text.lastIndexOf('\n', start - 1) + 1
  const next = text.indexOf('\n', end)
  return text.slice(start === 0 ? 0 : first, next < 0 ? text.length : next).split('\n')
}

function isOwnReport(lines: readonly string[], model: InstructionModel): boolean {
  const paths: string[] = []
  for (const line of lines) {
    const written = line.trim()
    if (written === '') continue
    const found = matchOf(written)
    if (found === null) return false
    const { path } = found.groups ?? {}
    if (path !== undefined) paths.push(path.replaceAll(JOINERS, ' '))
  }
  const words = paths.join('\n')
  return readInstructions(words, scan(words), model).segments.length === 0
}

function matchOf(line: string): RegExpExecArray | null {
  if (line.length > LINE_UNITS_MAX) return null
  for (const report of REPORTS) {
    const found = report.exec(line)
    if (found) return found
  }
  return null
}
const LINE_UNITS_MAX = 512
