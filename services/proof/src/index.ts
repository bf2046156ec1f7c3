export { RECEIPT_BYTES_MAX, checkReceipt, type ProvedAnswer, type ProvedStep } from './check/check-receipt.js'
export { makeReceipt, receiptSchema, tenantOfStep, type Receipt, type WantedStep } from './check/receipt.js'
export { verifyFile, type Verification, type VerifyOptions } from './check/verify.js'
export { ENTRY_KINDS, entrySchema, type Entry, type EntryKind } from './file/entry.js'
export { fileOf, treesIn } from './file/folder.js'
export { PROOF_METRICS, createProofMetrics, type ProofMetrics } from './metrics.js'
export { eraseEntries, type EraseOptions, type Erased, type ErasedEntries } from './record/erase.js'
export { startRecorder, type Recorder, type RecorderOptions } from './record/recorder.js'
export { startProofService, type ProofService, type ProofServiceOptions } from './service.js'
export { proofSettings, type ProofConfig } from './settings.js'
export { signedCheckpointSchema, type Checkpoint, type SignedCheckpoint } from './tree/checkpoint.js'
export {
  publicFileOf,
  readPublicKey,
  readSigningKey,
  writeKeyPair,
  type PublicKey,
  type SigningKey,
} from './tree/keys.js'
export { FLEET_TREE } from './tree/names.js'
