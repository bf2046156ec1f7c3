export { isReadByName, labelTool, type LabelToolOptions, type ToolLabelling } from './label-tool.js'
export { META_KEY, plimsollMeta, sensitivityDraft, type MetaAdapter } from './label-tool.js'
export {
  LABEL_NAMES,
  RANKS,
  worseBy,
  type Claim,
  type LabelName,
  type LabelValues,
  type Source,
} from './claim.js'
export type { Contradiction } from './label-tool.js'
export type { ToolAnnotations, ToolDefinition } from './claim.js'
export type { Operations } from './label-tool.js'
export { valueOf } from './claim.js'
