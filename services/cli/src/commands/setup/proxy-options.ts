import path from 'node:path'
import { readDocument } from '@plimsoll/policy'
import { type Values, catalogueOption, flag, text } from '../../command.js'

/** Options of `plimsoll mcp` that an entry gets. */
export const proxyOptions = {
  observe: flag('stops and asks nothing, and records what it would have done: for the first week'),
  policy: text('FILE', 'the policy; default: the shipped one'),
  catalogue: catalogueOption,
  pins: text('FILE.json', 'keeps the approved definitions of tools; default: only while the proxy runs'),
}

/**
 * Arguments for `plimsoll mcp`. Paths are absolute, because a client may start it in any folder. Throws `document_invalid` if a document
 * cannot be read: then no server of the client would start.
 */
export async function proxyArgs(
  { observe, policy, catalogue, pins }: Values<typeof proxyOptions>,
  cwd: string,
): Promise<string[]> {
  const files = (option: string | readonly string[] | undefined): string[] =>
    [option ?? []].flat().map((file) => path.resolve(cwd, file))
  for (const file of files(policy)) await readDocument('policy', file)
  for (const file of files(catalogue)) await readDocument('catalogue', file)
  return [
    ...(observe ? ['--observe'] : []),
    ...files(policy).flatMap((file) => ['--policy', file]),
    ...files(catalogue).flatMap((file) => ['--catalogue', file]),
    ...files(pins).flatMap((file) => ['--pins', file]),
  ]
}
