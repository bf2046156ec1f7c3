export { outcomeOf, type Happened, type Outcome } from './trade-offs.js'
export type { TradeOff } from './trade-offs.js'
export { tradeOffs, type TradeOffs, type TradeOffsOptions } from './trade-offs.js'
