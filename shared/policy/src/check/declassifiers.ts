import { CONFIDENTIALITIES, type Declassifier } from '@plimsoll/contracts'
import type { Problem } from '../source/problem.js'

/** Declassifiers that lead back to the label that they take away, and such as make of data more than it was. */
export function declassifierProblems(declassifiers: readonly Declassifier[]): Problem[] {
  return [...risingProblems(declassifiers), ...circleProblems(declassifiers)]
}

function risingProblems(declassifiers: readonly Declassifier[]): Problem[] {
  return declassifiers.flatMap(({ from, to }, i) => {
    const [before, after] = [rankOf(from), rankOf(to)]
    if (before === -1 || after === -1 || after < before) return []
    const message = `makes \`${to}\` of \`${from}\`, which is no less: name a lower confidentiality, or leave \`to\` out`
    return [{ path: ['declassifiers', i, 'to'], message }]
  })
}

const rankOf = (label: string | undefined): number => CONFIDENTIALITIES.findIndex((word) => word === label)

/** Walks from label to label; whoever comes back to a label that he is still under way from goes in a circle. */
function circleProblems(declassifiers: readonly Declassifier[]): Problem[] {
  const isRising = new Set(risingProblems(declassifiers).map(({ path }) => path[1]))
  const ways = declassifiers.map(({ from, to }, i) => ({ from, to, i })).filter(({ i }) => !isRising.has(i))
  const done = new Set<string>()
  const problems: Problem[] = []

  function walk(label: string, under: readonly string[]): void {
    if (done.has(label)) return
    for (const { from, to, i } of ways) {
      if (from !== label || to === undefined) continue
      const walked = [...under, label]
      const start = walked.indexOf(to)
      if (start === -1) walk(to, walked)
      else problems.push(circle([...walked.slice(start), to], i))
    }
    done.add(label)
  }

  for (const { from } of ways) walk(from, [])
  return problems
}

function circle(labels: readonly string[], i: number): Problem {
  const way = labels.map((label) => `\`${label}\``).join(' → ')
  return {
    path: ['declassifiers', i, 'to'],
    message: `goes in a circle, ${way}: nothing would ever be declassified; take one of these declassifiers out`,
  }
}
