export { isReadByName, labelTool, type LabelToolOptions, type ToolLabelling } from './label-tool.js'
export { META_KEY, plimsollMeta, sensitivityDraft, type MetaAdapter } from './meta.js'
export {
  LABEL_NAMES,
  RANKS,
  worseBy,
  type Claim,
  type LabelName,
  type LabelValues,
  type Source,
} from './claim.js'
export type { Contradiction } from './settle.js'
export type { ToolAnnotations, ToolDefinition } from './tool-definition.js'
export type { Operations } from './operations.js'
export { valueOf } from './value-of.js'
