import { patternOf, readSet, readTable } from '../text/data.js'
import { isOrder } from './orders.js'

/** Words from the verb to the machine: `spin up a small spot instance`. */
const REACH = 8

/** Types of machines as clouds call them: `g5.xlarge`, `e2-standard-4`. */
const TYPE = patternOf(readTable<string>('acts', 'machineTypes'))

/** Whether a sentence names a type of machine. */
export const namesMachineType = (sentence: string): boolean => TYPE.test(sentence.slice(0, 2_000))

/**
 * Whether a word of a clause orders a machine to be started that is paid by the hour: *spin up a VM*, *start one g5.xlarge*. *Start the server*
 * is about a machine that is there.
 */
export function ordersMachine(words: readonly string[], i: number, hasType: boolean): boolean {
  if (!STARTS.has(words[i] ?? '') || !(isOrder(words, i) || WANTS.has(words[i] ?? ''))) return false
  if (hasType) return true
  const behind = words.slice(i + 1, i + 1 + REACH)
  const at = behind.findIndex((word, j) => MACHINES.has(word) && behind[j + 1] !== 'of')
  return at > 0 && behind.slice(0, at).some((word) => NEW.has(word))
}

const STARTS = readSet('acts', 'startingVerbs')
/** Of them those of people who say what they need. */
const WANTS: ReadonlySet<string> = new Set(['need', 'want'])
const MACHINES: ReadonlySet<string> = new Set(
  'instance instances vm vms droplet droplets vps linode ec2'.split(' '),
)
const NEW = readSet('acts', 'machinesNew')
