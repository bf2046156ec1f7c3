import type { Control, PartitionReport, RegisteredDocument } from '@plimsoll/contracts'
import type { Entry, Refusal } from './examine.js'

/**
 * What a registry holds in memory at most: the documents' text in bytes (their parsed form takes about three times as much), the latest
 * changes of the audit, and one report a partition.
 */
export interface RegistryLimits {
  readonly documentBytesMax: number
  readonly controlsMax: number
  readonly partitionsMax: number
}

export const REGISTRY_LIMITS: RegistryLimits = {
  documentBytesMax: 128 * 1024 * 1024,
  controlsMax: 10_000,
  partitionsMax: 4096,
}

/** The registry's records that were taken, by what they are. */
export interface RegistryContents {
  /** Takes what the next record says, of `bytes`; tells where it is more than there may be. */
  add(entry: Entry, bytes: number): Refusal | undefined
  document(version: string): RegisteredDocument | undefined
  documents(): readonly RegisteredDocument[]
  report(partition: number): PartitionReport | undefined
  controls(): readonly Control[]
}

export function createContents(limits: RegistryLimits): RegistryContents {
  const documents = new Map<string, RegisteredDocument>()
  const controls = new Map<string, Control>()
  const reports = new Map<number, PartitionReport>()
  let documentBytes = 0

  const addDocument = (registered: RegisteredDocument, bytes: number): Refusal | undefined => {
    if (documents.has(registered.version)) return undefined
    if (documentBytes + bytes > limits.documentBytesMax)
      return tooMuch(`the documents would take more than ${limits.documentBytesMax} bytes`)
    documentBytes += bytes
    documents.set(registered.version, registered)
    return undefined
  }
  const addControl = (control: Control): undefined => {
    if (controls.has(control.id)) return
    controls.set(control.id, control)
    const [oldest] = controls.keys()
    // The topic still has it.
    if (controls.size > limits.controlsMax && oldest !== undefined) controls.delete(oldest)
  }
  const addReport = (report: PartitionReport): Refusal | undefined => {
    if (report.partition >= limits.partitionsMax)
      return tooMuch(`there are at most ${limits.partitionsMax} partitions`)
    reports.set(report.partition, report)
    return undefined
  }

  return {
    add: (entry, bytes) => {
      if (entry.kind === 'document') return addDocument(entry.registered, bytes)
      return entry.kind === 'control' ? addControl(entry.control) : addReport(entry.report)
    },
    document: (version) => documents.get(version),
    documents: () => [...documents.values()],
    report: (partition) => reports.get(partition),
    controls: () => [...controls.values()],
  }
}

const tooMuch = (message: string): Refusal => ({ reason: 'too_much', message })
