import type { Policy } from '@plimsoll/contracts'
import type { Rules } from '@plimsoll/engine'

/** `rules` whose expressions read what the model says of them instead of real arguments. */
export const withStubs = (rules: Rules, _policy: Policy): Rules => rules
