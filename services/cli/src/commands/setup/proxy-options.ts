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

/** Throws if a document of the options cannot be read: then no server of the client would start. */
export async function assertReadable(
  { policy, catalogue }: Values<typeof proxyOptions>,
  cwd: string,
): Promise<void> {
  for (const file of [policy ?? []].flat()) await readDocument('policy', path.resolve(cwd, file))
  for (const file of catalogue) await readDocument('catalogue', path.resolve(cwd, file))
}

/** Arguments for `plimsoll mcp`. Paths are absolute: nobody knows the folder that a client starts it in. */
export const proxyArgs = (
  { observe, policy, catalogue, pins }: Values<typeof proxyOptions>,
  cwd: string,
): string[] => [
  ...(observe ? ['--observe'] : []),
  ...[policy ?? []].flat().flatMap((file) => ['--policy', path.resolve(cwd, file)]),
  ...catalogue.flatMap((file) => ['--catalogue', path.resolve(cwd, file)]),
  ...[pins ?? []].flat().flatMap((file) => ['--pins', path.resolve(cwd, file)]),
]
