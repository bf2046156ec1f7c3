export { fitInstructionModel, type InstructionFitOptions, type InstructionSample } from './fit.js'
export { KINDS as INSTRUCTION_KINDS, type Kind as InstructionKind } from './kinds.js'
export { createChance } from './logistic.js'
export {
  parseInstructionModel,
  shippedInstructionModel,
  SHIPPED_MODEL as SHIPPED_INSTRUCTION_MODEL,
  type InstructionModel,
} from './score.js'
export { INSTRUCTION_SIGNALS, readInstructions, type InstructionReading } from './read.js'
