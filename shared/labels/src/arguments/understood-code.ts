import { areNamesBound } from './bound-names.js'
import { tokensOf, type Token } from './python-tokens.js'
import { mayWriteCode } from './python-writes.js'

/** Characters of a program that are looked at for being understood; a longer one is not. */
const TEXT_MAX = 65_536

/** Modules of Python that compute, or read and write local files, and cannot start programs, make code or reach the network. */
const MODULES: ReadonlySet<string> = new Set(
  `json re math sys os os.path collections collections.abc itertools datetime csv pathlib random statistics decimal textwrap string time functools
   typing dataclasses hashlib numpy pandas fractions operator heapq bisect copy pprint enum abc contextlib io glob calendar zoneinfo
   base64 binascii struct array difflib unicodedata uuid secrets hmac zlib gzip bz2 lzma zipfile tarfile numbers cmath types warnings
   locale tabulate __future__ typing_extensions argparse sqlite3 colorsys keyword tomllib xml.etree xml.etree.ElementTree html
   html.parser configparser stat fnmatch tempfile errno traceback queue graphlib ipaddress scipy matplotlib matplotlib.pyplot
   dateutil dateutil.parser pytz openpyxl yaml`.split(/\s+/),
)

/**
 * Names that start programs, make code, reach other hosts, or reach such names by way of others. A name counts wherever it stands, in strings
 * too: what a string holds may be made a name.
 */
const WORDS: ReadonlySet<string> = new Set(
  `exec eval compile __import__ importlib getattr setattr delattr globals locals vars globals builtins __builtins__ __builtin__ __globals__ __subclasses__ __class__
   __bases__ __base__ __mro__ __dict__ __code__ __closure__ __getattribute__ __getattr__ __loader__ __spec__ __reduce__ __reduce_ex__ __init_subclass__
   __self__ __func__ __wrapped__ system popen Popen posix nt pty exec execl execle execlp execlpe execv execve execvp execvpe spawn spawnl
   spawnle spawnlp spawnv spawnve spawnvp spawnvpe posix_spawn posix_spawnp fork forkpty startfile putenv environ environb subprocess ctypes cffi socket
   http urllib requests urllib3 httpx aiohttp smtplib ftplib telnetlib ssl asyncio multiprocessing threading concurrent runpy codeop
   pickle marshal shelve dill joblib cloudpickle modules meta_path path_hooks settrace setprofile breakpoint pdb get_ipython methodcaller attrgetter
   load_extension enable_load_extension read_html read_pickle to_pickle read_clipboard read_sql read_gbq to_gbq read_hdf query loadtxt genfromtxt
   DataSource memmap frompyfunc fromregex f2py distutils unsafe_load full_load load_all FullLoader UnsafeLoader Loader url_open
   urlopen urlretrieve webbrowser sitecustomize usercustomize pkgutil zipimport imp inspect _getframe f_globals f_builtins f_locals f_back gi_frame tb_frame cr_frame get_type_hints ForwardRef imread addaudithook
   allow_pickle FunctionType CodeType MethodType SimpleNamespace new_class`.split(/\s+/),
)
/** Commands of notebooks, which are no Python. */
const MAGIC = /(?:^|=)[ \t]*[%!]/m
/** Strings that make a path or a URL reach another host. */
const REACHES = /:\/\/|\/dev\/|\\\\|\/proc\/|\/inet/

/** What a program of Python does that is understood. */
export interface UnderstoodCode {
  /** It loads modules: of the folder that it runs in, where one there has the name of a known one. */
  readonly imports: boolean
  /** It writes files that a later step may run. */
  readonly writesCode: boolean
}

/**
 * What a program of Python does, where all of that is known to be harmless: only modules that compute or read and write local files, and no
 * word that could start a program, make code or reach the network. undefined of any other. An interpreter that `keepsNames` from one program
 * to the next may have anything under a name that this one does not make itself.
 */
export function understandPython(text: string, keepsNames: boolean): UnderstoodCode | undefined {
  if (text.length > TEXT_MAX || REACHES.test(text) || MAGIC.test(text)) return undefined
  if (/[^\t\n\r\x20-\x7e]/.test(withoutLetters(text))) return undefined
  const tokens = tokensOf(text)
  const isUnderstood =
    tokens !== undefined &&
    areImportsPlain(tokens) &&
    tokens.every(isPlainToken) &&
    areReadsPlain(tokens) &&
    (!keepsNames || areNamesBound(tokens))
  if (!isUnderstood) return undefined
  return { imports: tokens.some(isImport), writesCode: mayWriteCode(tokens) }
}

const isImport = ({ kind, text }: Token): boolean => kind === 'word' && text === 'import'

/** Functions of pandas that take a URL where they take a path. */
const READS =
  /^(?:read_(?:csv|json|excel|parquet|table|xml|feather|orc|fwf)|to_(?:csv|json|excel|parquet|xml|feather|markdown|html))$/

/** Whether what may be a URL stands there as text: one that is put together is not known. */
const areReadsPlain = (tokens: readonly Token[]): boolean =>
  tokens.every(({ text }, i) => {
    if (!READS.test(text)) return true
    const [open, first, next] = [tokens[i + 1]?.text, tokens[i + 2], tokens[i + 3]?.text]
    return (
      open === '(' && (first?.text === ')' || (first?.kind === 'string' && (next === ')' || next === ',')))
    )
  })

/** Python folds look-alikes of letters into plain names; other scripts are fine within strings, where no name can be. */
const withoutLetters = (text: string): string =>
  text.replaceAll(/[\u00a1-\u017f\u2010-\u2027\u20ac\u2190-\u21ff\u2500-\u257f\u2713-\u2718]/g, '')

/** No word that reaches further, in names, in strings, or built from escapes. */
function isPlainToken({ kind, text }: Token): boolean {
  if (kind === 'word')
    return (
      !WORDS.has(text) &&
      !/^__(?!name__$|main__$|init__$|str__$|repr__$|future__$|len__$|iter__$|eq__$|lt__$|hash__$|file__$|doc__$|enter__$|exit__$|call__$|post_init__$|getitem__$|contains__$|add__$|version__$)/.test(
        text,
      )
    )
  if (kind !== 'string') return true
  if (/\\(?:[xuN]|[0-7]{2})/.test(text) || text.length > 4096) return false
  return !/\b(?:__(?!main__|name__|init__)\w+__|import|exec|eval|system|popen|subprocess|socket)\b/.test(text)
}

/** Whether each import is of a module that is known; a relative one, and one that lies in the project, is not. */
function areImportsPlain(tokens: readonly Token[]): boolean {
  for (let i = 0; i < tokens.length; i += 1) {
    const { kind, text } = tokens[i] ?? { kind: 'sign', text: '' }
    if (kind !== 'word' || (text !== 'import' && text !== 'from')) continue
    if (text === 'from' && isYield(tokens, i)) continue
    const end = endOfStatement(tokens, i)
    if (!isPlainImport(tokens.slice(i, end))) return false
    i = end
  }
  return true
}

const isYield = (tokens: readonly Token[], at: number): boolean => {
  const before = tokens[at - 1]?.text
  return before === 'yield' || tokens.slice(Math.max(0, at - 8), at).some(({ text }) => text === 'raise')
}

function endOfStatement(tokens: readonly Token[], at: number): number {
  let depth = 0
  let i = at
  for (; i < tokens.length; i += 1) {
    const text = tokens[i]?.text ?? ''
    if (text === '(') depth += 1
    else if (text === ')') depth -= 1
    else if (depth <= 0 && (text === '\n' || text === ';')) break
  }
  return i
}

/** `import a.b as c, d` and `from a.b import c, d as e`. */
function isPlainImport(tokens: readonly Token[]): boolean {
  const text = tokens
    .map((token) => token.text)
    .join(' ')
    .replaceAll(' . ', '.')
  const from = /^from ([\w.]+) import (.+)$/s.exec(text)
  if (from)
    return isKnown(from[1] ?? '') && namesOf(from[2] ?? '').every((name) => name !== '*' && !WORDS.has(name))
  const names = /^import (.+)$/s.exec(text)
  return names !== null && namesOf(names[1] ?? '').every(isKnown)
}

const isKnown = (module: string): boolean => MODULES.has(module)

const namesOf = (list: string): string[] =>
  list
    .replaceAll(/[()\n]/g, ' ')
    .split(',')
    .map((name) => name.trim().split(/\s+/)[0] ?? '')
    .filter((name) => name !== '')
