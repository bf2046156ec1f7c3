export { outcomeOf, type Happened, type Outcome } from './outcome.js'
export type { TradeOff } from './tally.js'
export { tradeOffs, type TradeOffs, type TradeOffsOptions } from './trade-offs.js'
