import { patternOf, readTable, longPattern, readSet } from '../../../text/data.js'
import type { Effects } from '../../effects.js'
import { actsOn, actsOnUnnamed } from '../../objects.js'
import { type Call, operandsOf } from '../call.js'
import { raiseIrreversible } from './irreversible.js'
import { isTrial } from './looks.js'
import { namesOfThing } from './taken.js'

/** Words by which a task is about a cluster or an app of a cloud. */
const OF_CLUSTER = 'kubernetes k8s cluster rollout replicas replica pod pods'.split(' ')

/** Records that another system is asked for a change. A cluster changes at once what it runs: a task that names the thing, or the cluster, asks for it. */
export function noteChangeElsewhere(name: string, call: Call, effects: Effects): void {
  const [verb = '', ...things] = operandsOf(call).slice(0, 6)
  if (name !== 'kubectl' || !CHANGES_CLUSTER.test(verb)) return actsOnUnnamed(effects, 'request', 'resource')
  raiseIrreversible('publish', 'a command that changes what a cluster runs', effects, 'write')
  const names = [...OF_CLUSTER, name, ...things.flatMap(namesOfThing)]
  actsOn(effects, 'deploy', { kind: 'resource', byName: true, names, thing: things.join(' ') })
}
const CHANGES_CLUSTER = longPattern('clusters.CHANGES_CLUSTER')

/** Whether services of a file or on a machine are started, stopped or taken away: `docker compose -f docker-compose.prod.yml up -d`. */
export const changesServices = (call: Call): boolean =>
  !call.args.includes('exec') &&
  operandsOf(call)
    .slice(0, 5)
    .some((word) => VERBS.test(word))

/** Tools of clouds and clusters that ask another system to change something, and words by which they do not. */
const CHANGES_ELSEWHERE: ReadonlySet<string> = readSet('shell', 'elsewhere')
/** Clusters of this machine. */
const LOCAL_CLUSTER = longPattern('clusters.LOCAL_CLUSTER')
const NO_CHANGE = patternOf(readTable<string>('shell', 'noChange'))

/** Whether a tool of clouds or clusters asks another system to change something. */
export const changesElsewhere = (name: string, call: Call): boolean =>
  CHANGES_ELSEWHERE.has(name) &&
  !isTrial(call) &&
  !call.args.some((arg) => LOCAL_CLUSTER.test(arg)) &&
  !operandsOf(call)
    .slice(0, 4)
    .some((word) => NO_CHANGE.test(word))

const VERBS = longPattern('clusters.VERBS')
