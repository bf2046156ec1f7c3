import { readJsonFile } from '../text/json-file.js'
import { parseWordModel } from '../text/word-model.js'
import type { ToolModel } from './learned-labels.js'

/** Location of the shipped model. In a file of its own: only who labels tools reads it. */
export const SHIPPED_TOOL_MODEL = new URL('../../models/tools.json', import.meta.url)

let shipped: ToolModel | undefined

/** The shipped model, read once. */
export function shippedToolModel(): ToolModel {
  shipped ??= parseWordModel(readJsonFile(SHIPPED_TOOL_MODEL), 'tool model')
  return shipped
}
