import type { Policy, Run, Spec, StepPattern } from '@plimsoll/contracts'
import type { Finding } from './finding.js'
import { normalised, patternOf } from './patterns.js'

/**
 * Hazards that say in other words what a spec says: to show that such a hazard cannot be reached shows only that the spec is what it is.
 */
export function restatedFindings({ analysis, specs }: Policy): Finding[] {
  const said = new Map<string, string>()
  for (const spec of specs) for (const run of runsOf(spec)) said.set(keyOf(run), spec.id)
  return (analysis?.hazards ?? []).flatMap(({ id, reached }, i): Finding[] => {
    const spec = reached && said.get(keyOf(reached))
    if (spec === undefined) return []
    const message = `\`${id}\` merely restates \`${spec}\`, and would show nothing: say by labels what must not happen; where the spec goes by the same labels, have it name the tools that it is for`
    return [{ code: 'hazard-restates-spec', path: ['analysis', 'hazards', i, 'reached'], message }]
  })
}

function keyOf(run: Run): string {
  if ('endsAfter' in run) return JSON.stringify(['ends', normalised(run.endsAfter), normalised(run.without)])
  return JSON.stringify([
    'sequence',
    run.sequence.map(normalised),
    run.unless ? normalised(run.unless) : null,
  ])
}

/** The runs that a spec is written against. */
function runsOf(spec: Spec): Run[] {
  const own = patternOf(spec)
  const sequence = (...steps: StepPattern[]): Run => ({ sequence: steps })
  if (spec.tier === 'allowlist') return []
  if (spec.tier === 'mustlist') {
    if (!spec.followedBy) return []
    return [
      { endsAfter: own, without: spec.followedBy.step },
      { ...sequence(own), unless: spec.followedBy.step },
    ]
  }
  const { flow, after, between, atMost } = spec
  if (flow) return [sequence(flow.from, flow.to)]
  if (after) return [sequence(after, own)]
  if (between) return [{ ...sequence(between.from, own), unless: between.to }]
  if (atMost) return [sequence(...Array.from({ length: Math.min(atMost.times, 16) + 1 }, () => own))]
  return [sequence(own)]
}
