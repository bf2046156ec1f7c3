import { toolOnServer } from '@plimsoll/contracts'
import { longPattern } from '../text/data.js'
import { createTokenScanner } from '../text/tokens.js'
import type { ArgumentText } from './argument-text.js'
import { hiddenForms } from './encodings/hidden.js'

/** Ids of one session that are kept, the latest; characters of a result that are read; and of an id. */
const IDS_MAX = 512
const TEXT_MAX = 131_072
const ID_CHARS_MAX = 512

/**
 * Ids that the tools of a server have shown of their records: where one goes back to its server it says which record is meant, and carries
 * nothing. Of tools whose names show their server.
 */
export interface ServerIds {
  /** Keeps the ids in the text of a result. Linear in it. */
  note(tool: string, text: string): void
  /** Whether a value is an id that the tool's own server has shown. Undefined if the tool's name shows no server. */
  shownBy(tool: string): ((value: string) => boolean) | undefined
}

export function createServerIds(): ServerIds {
  const ids = new Set<string>()
  return {
    note: (tool, text) => {
      const server = serverOf(tool)
      if (server === undefined || !text.includes('"')) return
      for (const [, id = ''] of text.slice(0, TEXT_MAX).matchAll(ID)) {
        ids.add(`${server} ${id}`)
        if (ids.size > IDS_MAX) ids.delete(ids.values().next().value ?? '')
      }
    },
    shownBy: (tool) => {
      const server = serverOf(tool)
      return server === undefined
        ? undefined
        : (value) => value.length <= ID_CHARS_MAX && ids.has(`${server} ${value}`)
    },
  }
}

/** What stands before the tool's own name. */
function serverOf(tool: string): string | undefined {
  const own = toolOnServer(tool)
  return own === undefined ? undefined : tool.slice(0, tool.length - own.length)
}

/** A member of JSON that is an id of a record by its name: none of a key or session. Within a text its quotes are escaped. */
const ID = longPattern('ids-of-servers.ID')

/** Encoded or not: beside an id that looks encoded none is taken for plain. */
const RUN = /[\w+/=-]{16}/
/** Of its own: who asks still uses the tokens of the whole. */
const scan = createTokenScanner()

/** Whether anything that may be encoded stands in the arguments beside ids that `isShown`. */
export function hasOtherRun({ text, leaves }: ArgumentText, isShown: (value: string) => boolean): boolean {
  const values = leaves.map(({ start, end }) => text.slice(start, end))
  const others = values.filter((value) => !isShown(value))
  if (others.length === values.length || others.some((value) => RUN.test(value))) return true
  const rest = others.join('\n')
  const { isWhole, unknown } = hiddenForms(rest, scan(rest))
  return !isWhole || unknown > 0
}
