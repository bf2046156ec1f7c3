export { keyOfRoot } from './fingerprint-key.js'
export { createFingerprinter, type Fingerprinter, type Segments } from './fingerprinter.js'
export type { ResultFingerprints } from './of-result.js'
