import { patternOf, readSet, readTable } from '../text/data.js'
import { type CommandReader, type Effects, createEffects, does, labelsOf, raise } from './effects.js'
import { actsOn, actsOnUnnamed } from './objects.js'
import { PATH_KINDS, pathKindOf } from './paths.js'
import { sendsKeys as givesKeys } from './code-acts.js'

/** Files whose commands run without anybody looking at them again: pipelines, tasks of editors, manifests, scripts. */
const RUNS_LATER = patternOf(readTable<string>('paths', 'runsLater'))
/** Files that people read and nothing runs. */
const PROSE =
  /(?<!CMakeLists|requirements[\w-]{0,16})\.(?:mdx?|txt|rst|adoc|org|html?|css|scss|csv|tsv|log|lock|svg|diff|patch|jsonl|ipynb)$/i
/** Commands that reach out, and calls of code that do. Lines without one are not read. */
const REACHES_OUT = patternOf(readTable<string>('code', 'reachesOut'))
/** What stands before a command in such a file: a key, a list item, an instruction, a quotation mark. */
const BEFORE = /^[\s"'@]{0,64}(?:-\s{1,8})?(?:"?[\w-]{1,32}"?\s{0,8}:\s{0,8})?(?:RUN\s{1,8})?["'[]{0,2}(?=\S)/
const AFTER = /["'\],]{1,4}\s{0,8}$/

const FETCHES = String.raw`(?:curl|wget|fetch(?=\s{1,4}-)|iwr|irm|Invoke-WebRequest|Invoke-RestMethod)\b`
/** A line that runs what it fetches, or gives away what lets others in, in any language. */
const HARMFUL: readonly RegExp[] = [
  new RegExp(
    String.raw`\b${FETCHES}[^\n]{0,300}?\|\s{0,4}(?:sudo\s{1,4}(?:-\w{1,8}\s{1,4}){0,4})?(?:\/\w{1,16}){0,3}\/?(?:(?:ba|z|da|k|a)?sh|python\d?|node|perl|ruby|php|iex|Invoke-Expression)\b`,
    'i',
  ),
  new RegExp(
    String.raw`(?:\b(?:(?:ba|z|da|k|a)?sh|python\d?|eval|source|iex|Invoke-Expression)\b|(?:^|[\s"'])\.)[\s(]{0,4}(?:-c\s{0,4})?[\s"'\\]{0,6}(?:<\(|\$\(|\$?\x60|\()\s{0,4}${FETCHES}`,
    'i',
  ),
  /\b(?:exec|eval|system|popen|Function|runInThisContext|instance_eval|class_eval|loadstring|iex|Invoke-Expression)\b[^\n]{0,160}?(?:urlopen|URI\.open|open-uri|requests\.get|https?\.get|fetch\(|DownloadString|http_get|file_get_contents\(\s{0,2}["']https?:)/i,
  /\b(?:https?\.get|fetch|requests\.get|urlopen)\b[^\n]{0,300}?\b(?:eval|exec)\s{0,2}\(/i,
  // Secrets on their way to another host: through a pipe, or the whole environment.
  /(?:\bprintenv\b|\benv\s{0,4}\||\.netrc\b|\.pgpass\b|\.git-credentials\b|\.aws\/credentials|\bid_(?:rsa|ed25519)\b|\$\{?\w{0,32}(?:TOKEN|SECRET|PASSWORD|API_?KEY)\b)[^\n|]{0,200}\|[^\n]{0,200}?\b(?:curl|wget|nc|ncat|socat|telnet|nslookup|openssl)\b/i,
  /\b(?:urlopen|requests\.(?:post|put|get)|fetch|http\.request|curl|wget|sendall|send)\b[^\n]{0,300}?(?:\bos\.environ\b(?!\s{0,2}[.[])|\bprocess\.env\b(?!\s{0,2}[.[])|\$\((?:env|printenv|cat\s[^\n)]{0,80}(?:\.netrc|\.pgpass|credentials|id_rsa|id_ed25519))\b)/i,
  // What a request brings is run.
  /\b(?:system|exec\w{0,8}|shell_exec|passthru|popen|eval|spawn\w{0,8}|run|Popen)\s{0,4}\(\s{0,4}(?:\$_(?:GET|POST|REQUEST|COOKIE)\b|req(?:uest)?\.(?:query|body|params|args|form|json|values|GET|POST)\b)/,
  /https?:\/\/[^\s"'\x60]{0,120}["'\x60]\s{0,4}\+\s{0,4}(?:str\()?(?:os\.environ|process\.env|ENV\[)/,
  /\bcurl\b[^\n]{0,120}?\s-\w{0,6}[FTd]\s?["']?[^\s@~$/]{0,40}@?(?:~|\$\{?HOME\}?|\/root|\/home|\/etc)\//,
  // A program that is fetched, made runnable and run; history and keys of a machine on their way out; pieces of pipelines that may change.
  /\b(?:curl|wget)\b[^\n]{0,200}?\s-[a-zA-Z]{0,4}[oO]\s?(\S{2,80})[^\n]{0,200}?(?:chmod\s{1,4}\S{1,8}|(?:ba|z|da)?sh|python\d?|perl|\.|source)\s{1,4}\1/,
  /(?:\bhistory\b|169\.254\.169\.254)[^\n|]{0,120}\|[^\n]{0,120}?\b(?:curl|wget|nc|ncat)\b/,
  /\|\s{0,4}curl\b[^\n]{0,200}?(?:-d|--data\S{0,12}|-F|-T|--upload-file)\s?\S{0,16}@?-(?=[\s"'])[^\n]{0,200}?https?:\/\/(?!localhost|127\.|[\w-]{1,63}(?:[:/]|$)|[\w.-]{1,200}\.(?:internal|local|svc)\b)/,
  /(?:\biwr\b|\birm\b|Invoke-WebRequest|DownloadFile|bitsadmin)[^\n]{0,200}?\.(?:exe|msi|ps1|bat)[^\n]{0,120}?(?:\bstart\b|Start-Process|Invoke-Item|&amp;|[;&]\s{0,4}\.?[\\/%$\w])/i,
  /\bsource\(\s{0,4}["']https?:/,
  /\buses:\s{0,4}(?!(?:actions|docker|github|aws-actions|google-github-actions|azure|hashicorp|pnpm)\/|\.)[\w.-]{1,64}\/[\w./-]{1,128}@(?:main|master|dev|develop|latest)\b/i,
  /\b(?:npx|bunx|uvx|dlx)\b[^\n]{0,60}?\shttps?:/i,
  /\b(?:nslookup|dig|host|ping)\s[^\n]{0,80}\$\(/,
  /(?:--(?:extra-)?index-url|\bregistry)[\s=:"']{1,6}http:\/\//i,
]

/** Sources that tests and builds load by themselves. */
const LOADED =
  /(?:^|[\\/])(?:conftest|setup|sitecustomize|noxfile|fabfile|build|wscript|SConstruct)(?:\.py|\.rs)?$|\.config\.[cm]?[jt]s$/

/** Sources of programs, in which a command may only be mentioned, and what starts one. */
const CODE = /\.(?:py|[cm]?[jt]sx?|rb|go|rs|java|kts?|scala|cs|c|cc|cpp|h|hpp|swift|pl|lua|ex|exs)$/i
const STARTS =
  /\breturn\s{1,4}["'f]|\b(?:system|popen|Popen|run|call|eval|exec\w{0,8}|spawn\w{0,8}|check_\w{1,8}|getoutput|Command|shell|sh|subprocess|urlopen|requests|fetch|https?|send|sendall|socket|ProcessBuilder|commandLine)\b[^\n]{0,16}?[([]|%x|\.execute\(|::new\(/

/** Hosts of installers that many people run as their pages say. */
const INSTALLERS = readSet('shell', 'installers')
const URLS = /\bhttps?:\/\/[^\s"'\x60<>|)\\]{1,300}/gi

/** Whether a text fetches from nowhere but hosts of well-known installers, by encrypted connections. */
export function fetchesInstaller(text: string): boolean {
  // A text that is long, or puts a place together when it runs, may fetch from elsewhere too.
  if (text.length > LINE_MAX || /[$\x60]|<\(/.test(text.replaceAll(/\$\{?(?:HOME|PATH|USER|PWD)\b\}?/g, '')))
    return false
  const urls = [...text.matchAll(URLS)].map(([url]) => url.toLowerCase())
  const fetches = text.match(/\b(?:curl|wget)\b/g) ?? []
  return (
    urls.length > 0 &&
    fetches.length <= urls.length &&
    urls.every((url) => url.startsWith('https://') && isInstaller(url.slice(8)))
  )
}

/** By the host, or by the host and the first folder. */
function isInstaller(place: string): boolean {
  const [host = '', folder = ''] = place.split('/')
  return INSTALLERS.has(host) || INSTALLERS.has(`${host}/${folder}`)
}

/** Limits of a text: characters, lines that are read, and characters of one. */
const TEXT_MAX = 65_536
const LINES_MAX = 32
const LINE_MAX = 1_024

/**
 * Records that a file which runs later gets a command that fetches code and runs it, or sends secrets: the step that starts it shows nothing
 * of this. Linear in the text; reads at most 32 lines that reach out.
 */
export function noteRunsLater(path: string, text: string, effects: Effects, read: CommandReader): void {
  if (path.length > 512 || PROSE.test(path)) return
  const beginning = text.length > TEXT_MAX ? text.slice(0, TEXT_MAX) : text
  if (LOOSENS_AGENT.test(path) && AUTO_APPROVES.test(beginning)) return noteLoosenedAgent(effects)
  if (
    SHADOWS.test(beginning) ||
    (OF_STRANGERS.test(beginning) && beginning.includes('pull_request_target')) ||
    (SHELL_STARTUP.test(path) && IN_BACKGROUND.test(beginning))
  )
    return noteHidden(effects)
  if (ON_OPENING.test(beginning)) noteOnOpening(path, effects)
  if (!REACHES_OUT.test(beginning)) return
  let left = LINES_MAX
  let downloads = false
  let isGiving: boolean | undefined
  const isLoaded = LOADED.test(path)
  for (const line of beginning.split('\n')) {
    if (downloads && /^\s{0,64}(?:execute_process|add_custom_command)/.test(line)) return noteHidden(effects)
    if (line.length > LINE_MAX || !REACHES_OUT.test(line)) continue
    if ((left -= 1) < 0) return
    downloads ||= /\bDOWNLOAD\s{1,8}["']?https?:/.test(line)
    if (fetchesInstaller(line)) continue
    const isQuoted = CODE.test(path) && !STARTS.test(line)
    if (!isQuoted && HARMFUL.some((pattern) => pattern.test(line))) return noteHidden(effects)
    if (sendsKeys(line) || (isLoaded && (isGiving ??= givesKeys(beginning)))) return noteHidden(effects)
    if (RUNS_LATER.test(path) && isHarmful(line, read)) return noteHidden(effects)
  }
}

/** Settings of editors by which an agent in them asks nobody, or any folder may run what it likes. */
const LOOSENS_AGENT =
  /(?:^|[\\/])(?:\.vscode|\.cursor|\.windsurf|User)[\\/]settings\.json$|\.code-workspace$/i
const AUTO_APPROVES =
  /"[\w.]{0,64}(?:auto_?approve\w{0,16}|yolo\w{0,8})"\s{0,8}:\s{0,8}true|"security\.workspace\.trust\.enabled"\s{0,8}:\s{0,8}false/i
/** Files that every new shell runs, and what starts a program there that goes on by itself. */
const SHELL_STARTUP =
  /(?:^|[\\/])\.(?:bashrc|bash_profile|bash_login|profile|zshrc|zshenv|zprofile|zlogin|kshrc)$|config\.fish$/
/** What a pipeline checks out that strangers propose; with the rights of `pull_request_target` it may do anything. */
const OF_STRANGERS = /\bgithub\.event\.pull_request\.head\b/
/** A task of an editor that runs when a folder is opened. */
const ON_OPENING = /"runOn"\s{0,8}:\s{0,8}"folderOpen"/
const IN_BACKGROUND = /\b(?:nohup|setsid|disown)\b|[^\s&>]\s{0,4}&\s{0,8}(?:['")\n}]|$)/
/** A function that stands in for a program which asks for a password, and reads one. */
const SHADOWS =
  /(?:^|\n)\s{0,16}(?:function\s{1,4})?(?:sudo|su|ssh|doas)\s{0,4}\(\)\s{0,4}\{[^}]{0,400}\bread\b/

function noteLoosenedAgent(effects: Effects): void {
  raise(
    effects,
    { capability: 'execute', reversibility: 'irreversible' },
    'settings by which an agent asks nobody',
  )
  actsOnUnnamed(effects, 'control', 'setting', 'control')
  does(effects, 'grant')
}

function noteOnOpening(path: string, effects: Effects): void {
  raise(effects, { capability: 'execute', reversibility: 'irreversible' }, 'a task that runs by itself')
  actsOn(effects, 'persist', { kind: 'path', byName: true, names: ['task', 'vscode', 'editor'], thing: path })
  does(effects, 'grant')
}

/** Whether a request takes a file of keys along: `curl -F k=@release.keystore`. */
function sendsKeys(line: string): boolean {
  if (!/\bcurl\b/.test(line)) return false
  for (const [, path = ''] of line.matchAll(/\s-\w{0,6}[FTd]\s?["']?(?:\w{0,32}=)?@?([\w~./-]{1,128})/g))
    if (pathKindOf(path) === PATH_KINDS.credentials) return true
  return false
}

/** Whether a command runs what it fetches, which nobody can read before, or sends what lets others in. */
function isHarmful(line: string, read: CommandReader): boolean {
  const own = createEffects()
  read(line.replace(BEFORE, '').replace(AFTER, ''), own)
  const { capability, confidentiality } = labelsOf(own)
  return (
    capability === 'network' &&
    (own.signals['doesDelete'] !== undefined ||
      own.signals['doesSend'] !== undefined ||
      confidentiality === 'credentials')
  )
}

function noteHidden(effects: Effects): void {
  raise(
    effects,
    { capability: 'execute', reversibility: 'irreversible' },
    'a file that runs later fetches code or sends secrets',
  )
  // No task names what was hidden there.
  actsOnUnnamed(effects, 'persist')
  does(effects, 'grant')
}
