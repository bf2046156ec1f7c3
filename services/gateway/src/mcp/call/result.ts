import type { StepResult } from '@plimsoll/client'
import { claimedLabelsSchema } from '@plimsoll/contracts'
import type { CallToolResult } from '@modelcontextprotocol/server'
import { LABELS_KEY, metaOf } from '../meta.js'

/** What a tool's answer tells its session: its texts, and what its server says of it. */
export function stepResultOf(result: CallToolResult): StepResult {
  const claimed = claimedLabelsSchema.safeParse(metaOf(result)?.[LABELS_KEY])
  return {
    outcome: result.isError === true ? 'error' : 'ok',
    result: seenOf(result),
    ...(claimed.success && { labels: claimed.data }),
  }
}

/** All of an answer that can be read: pictures and sounds cannot. */
function seenOf({ content, structuredContent }: CallToolResult): unknown {
  const texts = content.flatMap(textsOf)
  if (structuredContent === undefined) return texts.length === 1 ? texts[0] : texts
  // Most servers say the same twice, for clients of all ages.
  const isSame = texts.length === 1 && texts[0] === JSON.stringify(structuredContent)
  return isSame ? structuredContent : [...texts, structuredContent]
}

function textsOf(block: CallToolResult['content'][number]): readonly string[] {
  if (block.type === 'text') return [block.text]
  if (block.type === 'resource_link')
    return [block.uri, block.name, block.description].filter((text) => text !== undefined)
  if (block.type !== 'resource') return []
  const { resource } = block
  return 'text' in resource ? [resource.uri, resource.text] : [resource.uri]
}
