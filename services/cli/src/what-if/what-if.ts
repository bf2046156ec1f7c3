import { writeFile } from 'node:fs/promises'
import { versionOf, type Policy } from '@plimsoll/contracts'
import { assertWritable } from '../assert-writable.js'
import type { Context, ExitCode } from '../command.js'
import { jsonLine, plainText } from '../plain-text.js'
import { diffPage } from './diff-page.js'
import { diffText } from './diff-text.js'
import { diffFiles, documentsOf, type DocumentFiles, type FilesOrder } from './what-if-files.js'

export interface WhatIfOrder extends DocumentFiles, Omit<FilesOrder, 'documents'> {
  readonly html: string | undefined
  readonly json: boolean
}

/** Tells what another policy would decide otherwise over recorded sessions. */
export async function whatIf(order: WhatIfOrder, context: Context): Promise<ExitCode> {
  const { html, json } = order
  const { stdout, stderr, signal, env } = context
  if (html !== undefined) await assertWritable(html)
  const documents = await documentsOf(order, env)
  const diff = await diffFiles({ ...order, documents }, context)
  const about = { old: aboutOf(documents.old.policy), candidate: aboutOf(documents.candidate.policy) }
  const head = `old: ${textOf(about.old)}; new: ${textOf(about.candidate)}`
  if (html !== undefined) await writeFile(html, diffPage(head, diff))
  stdout.write(json ? jsonLine({ ...about, diff }) : `${head}\n${diffText(diff)}`)
  if (signal.aborted) stderr.write('interrupted: these are not all sessions\n')
  return signal.aborted ? 1 : 0
}

const aboutOf = (policy: Policy) => ({ name: policy.name, version: versionOf(policy) })
const textOf = ({ name, version }: ReturnType<typeof aboutOf>): string =>
  `policy \`${plainText(name)}\` ${version}`
