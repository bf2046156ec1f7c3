import { withoutDimension, type Order } from '@plimsoll/chains'
import {
  ESCALATIONS,
  EXPOSURES,
  FLOW_BUCKETS,
  LEVELS,
  REVERSIBILITIES,
  SPACE_SIZES,
  TAINTS,
  type StateSpace,
} from '@plimsoll/contracts'

/** A chain that is compared with others: over which states, and how many of the last ones it looks at. */
export interface ChainVariant {
  readonly name: string
  readonly space: StateSpace
  readonly order: Order
  /** How many states there are. */
  readonly states: number
  /** Which of them each state of the space is; itself where it is left out. */
  readonly index?: Int32Array
}

/** The dimensions of the spaces that have several, the last the fastest. */
const DIMENSIONS = {
  paper60: [
    ['exposure', EXPOSURES.length],
    ['escalation', ESCALATIONS.length],
    ['reversibility', REVERSIBILITIES.length],
  ],
  flow: [
    ['level', LEVELS.length],
    ['taint', TAINTS.length],
    ['bucket', FLOW_BUCKETS],
  ],
} as const

const whole = (space: StateSpace, order: Order): ChainVariant => ({
  name: order === 1 ? space : `${space}, order ${order}`,
  space,
  order,
  states: SPACE_SIZES[space],
})

function without(space: keyof typeof DIMENSIONS): ChainVariant[] {
  const sizes = DIMENSIONS[space].map(([, size]) => size)
  return DIMENSIONS[space].map(([name], dimension) => ({
    name: `${space} without ${name}`,
    space,
    order: 1,
    ...withoutDimension(sizes, dimension),
  }))
}

/** Each space as it is, without each of its dimensions, and looking further back. */
export const VARIANTS: readonly ChainVariant[] = [
  whole('paper5', 1),
  whole('paper60', 1),
  ...without('paper60'),
  whole('paper60', 2),
  whole('paper60', 3),
  whole('flow', 1),
  ...without('flow'),
  whole('flow', 2),
  whole('flow', 3),
]
