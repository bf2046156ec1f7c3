import { writeFile } from 'node:fs/promises'
import { versionOf, type Policy } from '@plimsoll/contracts'
import { readDocument } from '@plimsoll/policy'
import type { DecisionDiff, TopicDiff } from '@plimsoll/trainer'
import { assertWritable } from '../assert-writable.js'
import type { Context, ExitCode } from '../command.js'
import { jsonLine, plainText } from '../plain-text.js'
import { diffPage } from './diff-page.js'
import { diffText } from './diff-text.js'
import { diffFiles, documentsOf, type DocumentFiles, type FilesOrder } from './what-if-files.js'
import { diffTopic, readOptionalPolicy } from './what-if-topic.js'

export interface WhatIfOrder extends DocumentFiles, Omit<FilesOrder, 'documents'> {
  /** The sessions of the event log, in place of recorded ones. */
  readonly topic: boolean
  readonly since: number | undefined
  readonly html: string | undefined
  readonly json: boolean
}

/** What was compared, and what came of it. */
interface Told {
  /** For a script. */
  readonly about: Readonly<Record<string, unknown>>
  /** For a human. */
  readonly head: string
  readonly diff: DecisionDiff
}

/** Tells what another policy would decide otherwise over recorded sessions, or over those of the log. */
export async function whatIf(order: WhatIfOrder, context: Context): Promise<ExitCode> {
  const { html, json } = order
  const { stdout, stderr, signal } = context
  if (html !== undefined) await assertWritable(html)
  const { about, head, diff } = await (order.topic ? overTopic(order, context) : overFiles(order, context))
  if (html !== undefined) await writeFile(html, diffPage(head, diff))
  stdout.write(json ? jsonLine({ ...about, diff }) : `${head}\n${diffText(diff)}`)
  if (signal.aborted) stderr.write('interrupted: these are not all sessions\n')
  return signal.aborted ? 1 : 0
}

async function overFiles(order: WhatIfOrder, context: Context): Promise<Told> {
  const documents = await documentsOf(order, context.env)
  const diff = await diffFiles({ ...order, documents }, context)
  const [old, candidate] = [aboutOf(documents.old.policy), aboutOf(documents.candidate.policy)]
  return { about: { old, candidate }, head: `old: ${textOf(old)}; new: ${textOf(candidate)}`, diff }
}

async function overTopic(order: WhatIfOrder, context: Context): Promise<Told> {
  const policy = await readDocument('policy', order.policy)
  const against = await readOptionalPolicy(order.against)
  const { diff, census, unpinned } = await diffTopic({ ...order, policy, against }, context)
  const candidate = aboutOf(policy)
  const old = against && aboutOf(against)
  const head = `old: ${old ? textOf(old) : 'what each session was pinned to'}; new: ${textOf(candidate)}\n${censusText(census, unpinned)}`
  return { about: { old: old ?? null, candidate, census, unpinned }, head, diff }
}

function censusText(census: TopicDiff['census'], unpinned: number): string {
  const { records, sessions, unfinished, withoutStart, unplayable, tooLong, crowdedOut } = census
  const left = unfinished + unplayable + tooLong + crowdedOut + unpinned
  return `${records} records, ${sessions} sessions that ended; left out: ${left} sessions (${unfinished} not ended, ${unpinned} pinned to documents that are not at hand), ${withoutStart} events of sessions that began before`
}

const aboutOf = (policy: Policy) => ({ name: policy.name, version: versionOf(policy) })
const textOf = ({ name, version }: ReturnType<typeof aboutOf>): string =>
  `policy \`${plainText(name)}\` ${version}`
