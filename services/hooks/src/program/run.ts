import { readFileSync } from 'node:fs'
import { findHookClient } from '../clients/index.js'
import type { HookAnswer, HookClient, HookEvent, HookReply, Payload, StepProposed } from '../event.js'
import { isObject } from '../payload.js'
import type { HookSettings } from '../settings.js'
import { askService } from './ask.js'

/** One event of a client: reads it, asks the service, and writes the client's form of the answer. Never rejects. */
export async function runHook(settings: HookSettings, text: string, event?: string): Promise<HookReply> {
  const client = findHookClient(settings.client)
  if (!client)
    return { stdout: '', stderr: `plimsoll: there is no client \`${settings.client}\`\n`, exitCode: 2 }
  let read: HookEvent | undefined
  try {
    read = client.read(parsePayload(text), event)
  } catch (error) {
    const problem = `Plimsoll cannot read this event of ${client.title}: ${reasonOf(error)}. Report it with \`plimsoll hook record\``
    // Whether it was a step is unknown.
    return noted(
      client.reply({ verdict: settings.failOpen ? 'allow' : 'block', text: problem }, UNREAD),
      problem,
    )
  }
  if (!read) return client.reply({ verdict: 'allow', text: '' }, undefined)
  try {
    return client.reply(await askService(settings, client.name, read), read)
  } catch (error) {
    const problem = `Plimsoll gave no verdict (${reasonOf(error)})`
    return noted(client.reply(unanswered(client, read, settings, problem), read), problem)
  }
}

/** Reads the settings file. Throws `TypeError` if it is none. */
export function readSettings(file: string): HookSettings {
  const value: unknown = JSON.parse(readFileSync(file, 'utf8'))
  if (isObject(value) && value['kind'] === 'plimsoll.hook' && value['schema'] === 1)
    return value as unknown as HookSettings
  throw new TypeError(`\`${file}\` is no settings file of a hook`)
}

function parsePayload(text: string): Payload {
  const value: unknown = JSON.parse(text)
  if (isObject(value)) return value
  throw new TypeError('it is not a JSON object')
}

const UNREAD: StepProposed = {
  kind: 'step-proposed',
  session: '',
  tool: '',
  arguments: {},
  canAsk: false,
  isRemote: false,
}

/** Files by which agents are guarded, or that run later: no change of them goes on without a verdict. */
const GUARDS =
  /\.(?:claude|codex|copilot|cursor|gemini|qwen|opencode|windsurf|codeium|clinerules|agents|mcp\.json|git\b|husky|ssh|bash|zsh|profile|config\/)|plimsoll|\.github\/hooks|Cline\/Hooks|LaunchAgents|systemd|crontab|\.vscode/i

/**
 * What counts without a verdict: reading, planning and changes of files go on, since a day's work must; other calls are asked, and where
 * the client cannot ask, stopped.
 */
function unanswered(
  client: HookClient,
  event: HookEvent,
  settings: HookSettings,
  problem: string,
): HookAnswer {
  if (settings.failOpen || event.kind !== 'step-proposed') return { verdict: 'allow', text: '' }
  if (client.mild.has(event.tool) && !GUARDS.test(JSON.stringify(event.arguments)))
    return { verdict: 'warn', text: `${problem}; the call goes on.` }
  const text = `${problem}. \`${event.tool}\` needs one. \`${settings.log}\` says more; \`plimsoll hook uninstall ${client.name}\` takes the hook away.`
  return { verdict: event.canAsk ? 'confirm' : 'block', text }
}

const noted = (reply: HookReply, problem: string): HookReply =>
  reply.stderr === '' ? { ...reply, stderr: `plimsoll: ${problem}\n` } : reply

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
