import { PlimsollError, type RegisteredDocument } from '@plimsoll/contracts'
import { readAnyDocument } from '@plimsoll/policy'
import { registerDocument, type Registry, type RegisterLog } from '@plimsoll/runtime'

/** Throws `document_invalid` with every problem of every file: nothing is published where one is damaged. */
export async function readDocuments(files: readonly string[]): Promise<readonly RegisteredDocument[]> {
  const settled = await Promise.allSettled(files.map(readAnyDocument))
  const problems = settled.flatMap((result) => {
    if (result.status === 'fulfilled') return []
    if (!(result.reason instanceof PlimsollError)) throw result.reason
    return [result.reason.message]
  })
  if (problems.length > 0)
    throw new PlimsollError('document_invalid', `${problems.join('\n  ')}\nnothing was published`)
  return settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
}

export interface PublishPlace {
  readonly log: RegisterLog
  /** Of the registry. */
  readonly topic: string
  readonly registry: Pick<Registry, 'document' | 'refresh'>
  readonly signal: AbortSignal
}

/** Writes `documents` to the registry, and reads them back. Throws `log_unavailable` where one is not there then. */
export async function publishDocuments(
  documents: readonly RegisteredDocument[],
  { log, topic, registry, signal }: PublishPlace,
): Promise<void> {
  for (const { document } of documents) await registerDocument(log, topic, document)
  await registry.refresh(signal)
  assertThere(
    documents.filter(({ version }) => !registry.document(version)),
    topic,
  )
}

/** What cannot be read back was not published. */
function assertThere(missing: readonly RegisteredDocument[], topic: string): void {
  if (missing.length === 0) return
  const names = missing.map(({ kind, document }) => `${kind} \`${document.name}\``).join(', ')
  throw new PlimsollError(
    'log_unavailable',
    `${names} cannot be read back from topic \`${topic}\`: publish again`,
  )
}
