/** Longer texts are not read, in characters. */
const TEXT_MAX = 65_536

/** Source files of languages that start no program and send nothing but by a word. In a shell, Perl, PHP or Ruby, marks can do so. */
const SOURCE =
  /\.(?:[cm]?[jt]s|[jt]sx|py|go|rs|java|kt|c|h|cc|cpp|hpp|cs|swift|scala|vue|svelte)$/i

/**
 * Parts of words and marks by which code can reach another host, start a program, or make code out of text. Parts, as `HttpTransport` and
 * `sendReport` are names of a project.
 */
const REACHING = new RegExp(
  [
    ':\\/\\/|http|fetch|axios|ajax|xhr|socket|\\bnet\\b|dns|ftp|ssh|rpc|graphql|telnet|curl|wget|beacon|webhook|proxy|redirect',
    'send|mail|upload|publish|notify|emit|track|telemetry|analytics|sentry|\\bp(?:os|u)t\\b|patch|dispatch|forward|broadcast',
    'telegram|slack|discord|twilio|boto|gcloud|azure|\\bs3\\b|connect|dial|listen|request|client|remote|\\burl',
    'exec|spawn|fork|popen|system|shell|process\\.(?!env\\b)|subprocess|child_process|worker|eval|compile|marshal|pickle|ctypes|cffi',
    'Function\\b|getattr|globalThis|globals|importlib|reflect|\\bimport\\s{0,8}\\(|require\\s{0,8}\\(\\s{0,8}[^\'"\\s]|\\]\\s{0,8}\\(',
    '__(?:import|builtins|class|subclasses|globals|dict|getattribute|loader|code)__',
    'atob|base64|b64|fromCharCode|unhexlify|fromhex|decode|\\\\x[0-9a-f]{2}|\\\\u[0-9a-f{]|\\binclude!|\\basm\\b|unsafe',
  ].join('|'),
  'i',
)

/**
 * Whether a text that is put into a source file gives it no way out by itself: no word of it reaches a host, starts a program or makes code.
 * What it calls of the project can do what the project could before.
 */
export const staysIn = (path: string, text: string): boolean =>
  path.length <= 512 && text.length <= TEXT_MAX && SOURCE.test(path) && !REACHING.test(text)
