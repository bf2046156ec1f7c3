export { keyOfRoot } from './fingerprint-key.js'
export { createFingerprinter, type Fingerprinter, type Segments } from './fingerprinter.js'
export type { ResultFingerprints } from './of-result.js'
export { textOf, TEXT_HEAD_CHARS, TEXT_TAIL_CHARS } from './text-of.js'
