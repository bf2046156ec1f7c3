export * from './event-log.js'
export {
  createEmbeddedLineages,
  type EmbeddedLineages,
  type EmbeddedLineagesOptions,
} from './lineage-store.js'
export { createEmbeddedRecords, type EmbeddedRecords, type EmbeddedRecordsOptions } from './records.js'
export { createEmbeddedStore, type EmbeddedStoreOptions } from './session-store.js'
export { type FolderLineages, type FolderLineagesOptions, createFolderLineages } from './folder-lineages.js'
