import path from 'node:path'
import { shellWord } from '../../format/text.js'
import type { Place } from './client-files.js'
import type { HookFile } from './hook-files/file-changes.js'
import { opencodePlugin } from './hook-files/opencode-plugin.js'

/** What a client is to start, and how. */
export interface Hook {
  /** Node, the program of the hook, and its settings file. */
  readonly words: readonly string[]
  /** Whether a call runs if the program cannot be started. */
  readonly failOpen: boolean
  /** Whether the hook is for one project. */
  readonly isProject: boolean
  readonly platform: NodeJS.Platform
}

/** Where a client of `HOOK_CLIENTS` has its hooks, and what its user should know. */
export interface HookPlace {
  readonly client: string
  /** The file or the folder of the hooks. */
  readonly user: (place: Place) => string
  readonly project: (place: Place) => string
  readonly files: (at: string, hook: Hook) => readonly HookFile[]
  /** Whether others of the project get its file, unless it is kept out of version control. */
  readonly isShared: boolean
  /** What the user must do before the hooks run. */
  readonly next: string
  /** What the client cannot do, as sentences without their subject. */
  readonly limits: readonly string[]
}

/** The longest that the service may need for a verdict, seconds. */
const LIMIT_S = 30

/** The shell that a client's command is for. On Windows they differ. */
type Shell = 'sh' | 'cmd' | 'powershell'

/** The words as one command. */
export function commandText(words: readonly string[], shell: Shell): string {
  if (shell === 'sh') return words.map(shellWord).join(' ')
  if (shell === 'cmd') return words.map((word) => (/[^\w.:\\/-]/.test(word) ? `"${word}"` : word)).join(' ')
  return `& ${words.map((word) => `'${word.replaceAll("'", "''")}'`).join(' ')}`
}

const commandOf = ({ words, platform }: Hook, onWindows: Shell, ...more: readonly string[]): string =>
  commandText([...words, ...more], platform === 'win32' ? onWindows : 'sh')

type EntryOf = (hook: Hook, event: string) => object

/** A JSON file with an entry for each event. */
const inFile =
  (events: readonly string[], entryOf: EntryOf, rootOf: (hook: Hook) => object = () => ({})) =>
  (file: string, hook: Hook): readonly HookFile[] => [
    {
      kind: 'entries',
      file,
      root: { ...rootOf(hook) },
      entries: Object.fromEntries(events.map((event) => [event, [entryOf(hook, event)]])),
    },
  ]

/** A handler in a group of its own, as Claude Code has them. */
const grouped =
  (entryOf: EntryOf): EntryOf =>
  (hook, event) => ({ hooks: [entryOf(hook, event)] })

const VERSION_1 = () => ({ version: 1 })

/** `switches` if the event is before a call, which must stop if the hook fails. */
const onFailure = ({ failOpen }: Hook, isBefore: boolean, switches: object): object =>
  isBefore && !failOpen ? switches : {}

const TURN_EVENTS = ['UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'SubagentStop', 'Stop']
const ALL_EVENTS = [...TURN_EVENTS, 'PostToolUseFailure', 'SessionEnd']

const CURSOR_BEFORE = ['preToolUse', 'beforeShellExecution', 'beforeMCPExecution']

const inHome =
  (...names: readonly string[]) =>
  ({ home }: Place): string =>
    path.join(home, ...names)
const inProject =
  (...names: readonly string[]) =>
  ({ cwd }: Place): string =>
    path.join(cwd, ...names)
/** In the folder that a variable names. */
const inOwn =
  (variable: string, folder: string, ...names: readonly string[]) =>
  ({ home, env }: Place): string =>
    path.join(env[variable] || path.join(home, folder), ...names)

const CANNOT_ASK = 'cannot ask you: such a call is denied, with the command that approves it'
const RUNS_ON_FAILURE = 'lets a call run if the hook cannot start, or takes longer than 30 s'

/** Sources: the clients' documentation and code of hooks, November 2026. */
export const HOOK_PLACES: readonly HookPlace[] = [
  {
    client: 'claude-code',
    user: inOwn('CLAUDE_CONFIG_DIR', '.claude', 'settings.json'),
    project: inProject('.claude', 'settings.local.json'),
    files: inFile(
      ALL_EVENTS,
      grouped((hook, event) => ({
        type: 'command',
        command: commandOf(hook, 'sh'),
        timeout: LIMIT_S,
        ...onFailure(hook, event === 'PreToolUse', { onFailure: 'block' }),
      })),
    ),
    isShared: false,
    next: 'restart Claude Code',
    limits: ['before 2.1.295 lets a call run if the hook cannot start'],
  },
  {
    client: 'codex',
    user: inOwn('CODEX_HOME', '.codex', 'hooks.json'),
    project: inProject('.codex', 'hooks.json'),
    files: inFile(
      [...TURN_EVENTS, 'SessionEnd'],
      grouped((hook, event) => ({
        type: 'command',
        command: commandOf(hook, 'cmd'),
        // It warns of more.
        timeout: event === 'SessionEnd' ? 3 : LIMIT_S,
      })),
    ),
    isShared: true,
    next: 'restart Codex, then review and trust the hooks with `/hooks`: before that they do not run',
    limits: [CANNOT_ASK, RUNS_ON_FAILURE, 'does not report failed calls'],
  },
  {
    client: 'gemini',
    user: inHome('.gemini', 'settings.json'),
    project: inProject('.gemini', 'settings.json'),
    files: inFile(
      ['BeforeAgent', 'BeforeTool', 'AfterTool', 'AfterAgent', 'SessionEnd'],
      grouped((hook) => ({
        type: 'command',
        name: 'plimsoll',
        command: commandOf(hook, 'powershell'),
        timeout: LIMIT_S * 1_000,
      })),
    ),
    isShared: true,
    next: 'restart Gemini CLI; hooks run only in folders that you trust (`/permissions`)',
    limits: [CANNOT_ASK, RUNS_ON_FAILURE],
  },
  {
    client: 'cursor',
    user: inHome('.cursor', 'hooks.json'),
    project: inProject('.cursor', 'hooks.json'),
    files: inFile(
      [...CURSOR_BEFORE, 'postToolUse', 'postToolUseFailure', 'afterShellExecution', 'afterMCPExecution', 'beforeSubmitPrompt', 'stop', 'sessionEnd'], // prettier-ignore
      (hook, event) => ({
        command: commandOf(hook, 'cmd'),
        timeout: LIMIT_S,
        ...onFailure(hook, CURSOR_BEFORE.includes(event), { failClosed: true }),
      }),
      VERSION_1,
    ),
    isShared: true,
    next: 'restart Cursor',
    limits: ['asks you only about commands and MCP tools: other such calls are denied'],
  },
  {
    client: 'copilot',
    user: inOwn('COPILOT_HOME', '.copilot', 'hooks', 'plimsoll.json'),
    project: inProject('.github', 'copilot', 'settings.local.json'),
    files: inFile(
      ['userPromptSubmitted', 'preToolUse', 'postToolUse', 'postToolUseFailure', 'agentStop', 'sessionEnd'],
      (hook, event) => ({
        type: 'command',
        [hook.platform === 'win32' ? 'powershell' : 'bash']: commandOf(hook, 'powershell', event),
        timeoutSec: LIMIT_S,
      }),
      ({ isProject }) => (isProject ? {} : VERSION_1()),
    ),
    isShared: false,
    next: 'restart Copilot',
    limits: ['lets a call run if the hook takes longer than 30 s', 'may not run hooks for sub-agents'],
  },
  {
    client: 'vscode',
    user: inHome('.copilot', 'hooks', 'plimsoll-vscode.json'),
    project: inProject('.github', 'hooks', 'plimsoll-vscode.json'),
    files: inFile(TURN_EVENTS, (hook) => ({
      type: 'command',
      command: commandOf(hook, 'cmd'),
      timeout: LIMIT_S,
    })),
    isShared: true,
    next: 'start a new chat; `/hooks` lists the hooks, and the setting `chat.hookFilesLocations` names the folders that VS Code reads',
    limits: [RUNS_ON_FAILURE, 'does not report failed calls'],
  },
  {
    client: 'opencode',
    user: inOwn('XDG_CONFIG_HOME', '.config', 'opencode', 'plugins', 'plimsoll.js'),
    project: inProject('.opencode', 'plugins', 'plimsoll.js'),
    files: (file, hook) => [{ kind: 'own', file, text: opencodePlugin(hook), mode: 0o600 }],
    isShared: true,
    next: 'restart OpenCode (1.18.29 or later)',
    limits: [CANNOT_ASK],
  },
  {
    client: 'cline',
    user: inHome('Documents', 'Cline', 'Hooks'),
    project: inProject('.clinerules', 'hooks'),
    files: (folder, hook) =>
      ['TaskStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'TaskComplete', 'TaskCancel'].map(
        (event) => ({
          kind: 'own',
          file: path.join(folder, event),
          text: `#!/bin/sh\nexec ${commandText([...hook.words, event], 'sh')}\n`,
          mode: 0o700,
        }),
      ),
    isShared: true,
    next: 'switch on hooks in the settings of Cline, then start a new task',
    limits: [
      'cannot ask you: such a call ends the task, with the command that approves it',
      RUNS_ON_FAILURE,
      'may not run hooks on Windows',
    ],
  },
  {
    client: 'windsurf',
    user: inHome('.codeium', 'windsurf', 'hooks.json'),
    project: inProject('.windsurf', 'hooks.json'),
    files: inFile(
      ['pre_user_prompt', ...['read_code', 'write_code', 'run_command', 'mcp_tool_use'].flatMap((tool) => [`pre_${tool}`, `post_${tool}`]), 'post_cascade_response'], // prettier-ignore
      (hook) => ({
        [hook.platform === 'win32' ? 'powershell' : 'command']: commandOf(hook, 'powershell'),
        show_output: true,
      }),
    ),
    isShared: true,
    next: 'restart Windsurf',
    limits: [CANNOT_ASK, RUNS_ON_FAILURE, 'reports no results of commands and files'],
  },
  {
    client: 'goose',
    user: inHome('.agents', 'plugins', 'plimsoll'),
    project: inProject('.agents', 'plugins', 'plimsoll'),
    files: (folder, hook) => [
      ...inFile(
        ['UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'Stop', 'SessionEnd'],
        grouped((hook, event) => ({
          type: 'command',
          command: commandOf(hook, 'sh'),
          timeout: LIMIT_S,
          ...onFailure(hook, event === 'PreToolUse', { on_failure: 'block' }),
        })),
      )(path.join(folder, 'hooks', 'hooks.json'), hook),
      {
        kind: 'own',
        file: path.join(folder, 'plugin.json'),
        text: `${JSON.stringify({ name: 'plimsoll', version: '1.0.0', description: `Judges tool calls, with the settings in ${hook.words.at(-1)}` }, undefined, 2)}\n`,
        mode: 0o600,
      },
    ],
    isShared: true,
    next: 'restart goose (1.38 or later)',
    limits: [CANNOT_ASK, 'runs no hooks for sub-agents'],
  },
  {
    client: 'qwen',
    user: inHome('.qwen', 'settings.json'),
    project: inProject('.qwen', 'settings.json'),
    files: inFile(
      ALL_EVENTS,
      grouped((hook) => ({
        type: 'command',
        name: 'plimsoll',
        command: commandOf(hook, 'powershell'),
        ...(hook.platform === 'win32' && { shell: 'powershell' }),
        timeout: LIMIT_S * 1_000,
      })),
    ),
    isShared: true,
    next: 'restart Qwen Code; hooks of a project run only if you trust its folder',
    limits: [RUNS_ON_FAILURE],
  },
]
