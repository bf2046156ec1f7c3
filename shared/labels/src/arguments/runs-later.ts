import { type Call, type Effects, createEffects, does, labelsOf, raise } from './effects.js'
import { actsOn } from './objects.js'
import { readShell } from './shell/read-shell.js'

/** Files whose commands run without anybody looking at them again: pipelines, tasks of editors, manifests, scripts. */
const RUNS_LATER =
  /(?:^|[\\/])(?:\.gitlab-ci\.ya?ml|\.travis\.ya?ml|azure-pipelines\.ya?ml|bitbucket-pipelines\.ya?ml|\.drone\.ya?ml|\.pre-commit-config\.ya?ml|appveyor\.ya?ml|Jenkinsfile|Makefile|GNUmakefile|justfile|Taskfile\.ya?ml|Procfile|Dockerfile[\w.-]{0,64}|(?:docker-)?compose[\w.-]{0,64}\.ya?ml|package\.json|composer\.json|\.npmrc|\.envrc|\.bashrc|\.zshrc|\.profile|(?:\.circleci|\.vscode|\.devcontainer|\.idea|workflows)[\\/][\w.-]{1,64}|[\w.-]{1,128}\.(?:sh|bash|zsh|ksh|command|ps1|bat|cmd|php))$|^(?:\/usr(?:\/local)?)?\/s?bin\/[\w.-]{1,64}$/i
/** Commands that reach out. Lines without one are not read. */
const REACHES_OUT =
  /\b(?:curl|wget|nc|ncat|socat|scp|sftp|ftp|telnet|openssl|iwr|irm|Invoke-WebRequest)\b|\/dev\/(?:tcp|udp)\//i
/** What stands before a command in such a file: a key, a list item, an instruction, a quotation mark. */
const BEFORE = /^[\s"']{0,64}(?:-\s{1,8})?(?:"?[\w-]{1,32}"?\s{0,8}:\s{0,8})?(?:RUN\s{1,8})?["'[]{0,2}(?=\S)/
const AFTER = /["'\],]{1,4}\s{0,8}$/

/** Limits of a text: characters, lines that are read, and characters of one. */
const TEXT_MAX = 65_536
const LINES_MAX = 32
const LINE_MAX = 1_024

/**
 * Records that a file which runs later gets a command that fetches code and runs it, or sends secrets: the step that starts it shows nothing
 * of this. Linear in the text; reads at most 32 commands.
 */
export function noteRunsLater(
  path: string,
  text: string,
  { effects, organisation }: Pick<Call, 'effects' | 'organisation'>,
): void {
  if (path.length > 512 || !RUNS_LATER.test(path)) return
  let left = LINES_MAX
  for (const line of text.slice(0, TEXT_MAX).split('\n')) {
    if (line.length > LINE_MAX || !REACHES_OUT.test(line)) continue
    if ((left -= 1) < 0) return
    const own = createEffects()
    readShell(line.replace(BEFORE, '').replace(AFTER, ''), own, organisation)
    if (!isHarmful(own)) continue
    raise(
      effects,
      { capability: 'execute', reversibility: 'irreversible' },
      'a file that runs later fetches code or sends secrets',
    )
    // No task names what was hidden there.
    actsOn(effects, [])
    return does(effects, 'grant')
  }
}

/** Whether a command runs what it fetches, which nobody can read before, or sends what lets others in. */
function isHarmful(own: Effects): boolean {
  const { capability, confidentiality } = labelsOf(own)
  return (
    capability === 'network' && (own.signals['doesDelete'] !== undefined || confidentiality === 'credentials')
  )
}
