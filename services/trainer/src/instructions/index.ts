export { fitShippedInstructions } from './fit-shipped.js'
export { readRecordedResults, type RecordedResult } from './recorded.js'
export { recordedSamples } from './recorded-samples.js'
export { generateSamples } from './samples.js'
