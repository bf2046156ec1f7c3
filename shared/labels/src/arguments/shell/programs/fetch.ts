import { type Effects, raise, signal, type Place } from '../../effects.js'
import { pathKindOf } from '../../paths.js'
import { readRequest, readUrl } from '../../web.js'
import { noteWritten } from '../../written-code.js'
import { type Call, type ShellContext, farther, placeOfHost } from '../call.js'
import { COMMAND_LABELS } from './commands.js'

/** What an option of curl or wget does. */
type Effect =
  'flag' | 'value' | 'method' | 'data' | 'file' | 'output' | 'redirect' | 'url' | 'login' | 'reference'

const table = (rows: Readonly<Partial<Record<Effect, string>>>): ReadonlyMap<string, Effect> =>
  new Map(
    Object.entries(rows).flatMap(([effect, names]) =>
      names
        .trim()
        .split(/\s+/)
        .map((name) => [name, effect as Effect] as const),
    ),
  )

/** `file`: what is sent is in a file; `reference`: words of the request are; `redirect`: the request goes elsewhere than its URL says. */
const CURL = table({
  flag: `-s -S -L -f -k -i -I -v -g -G -N -0 -1 -2 -3 -4 -6 -a -O -J -R -j -Z -# -q -l -p --silent --show-error --location --fail --insecure
    --include --head --verbose --globoff --get --no-buffer --http1.0 --http1.1 --http2 --http3 --ipv4 --ipv6 --remote-name --remote-header-name
    --remote-time --junk-session-cookies --parallel --progress-bar --disable --compressed --fail-with-body --location-trusted --no-progress-meter
    --no-keepalive --path-as-is --raw --tlsv1.2 --tlsv1.3 --ssl --ssl-reqd --create-dirs --no-alpn --tcp-nodelay --styled-output --help --version -h -V
    --crlf --basic --digest --ntlm --negotiate --anyauth --retry-connrefused --retry-all-errors --list-only`,
  value: `-H --header -A --user-agent -e --referer -m --max-time --connect-timeout --retry --retry-delay --retry-max-time -w --write-out -r --range
    -y -Y -z -C --speed-limit --speed-time --time-cond --continue-at --limit-rate --max-redirs --max-filesize --cacert --capath --ciphers
    --keepalive-time --proto --noproxy --stderr`,
  method: '-X --request',
  data: '-d --data --data-ascii --data-binary --data-raw --data-urlencode --json -F --form --form-string --url-query',
  file: '-T --upload-file',
  output:
    '-o --output -c --cookie-jar -D --dump-header --output-dir --trace --trace-ascii --libcurl --hsts --alt-svc --etag-save',
  login: '-u --user -b --cookie --oauth2-bearer -E --cert --key --pass',
  reference:
    '-K --config -n --netrc --netrc-file --netrc-optional --etag-compare --variable --expand-url --expand-data -Q --quote -P --ftp-port -t --telnet-option',
  redirect: `-x --proxy --preproxy --proxy1.0 --socks4 --socks4a --socks5 --socks5-hostname --resolve --connect-to --doh-url --unix-socket
    --abstract-unix-socket --interface --dns-servers --dns-interface --haproxy-protocol --proxy-user -U --mail-from --mail-rcpt --mail-auth`,
  url: '--url',
})
const WGET = table({
  flag: `-q -v -nv -c -N -r -l -k -p -m -E -S -nc -nd -nH -x -np -4 -6 -b -K -F -H --quiet --verbose --no-verbose --continue --timestamping --recursive
    --convert-links --page-requisites --mirror --adjust-extension --server-response --no-clobber --no-directories --no-host-directories
    --no-parent --inet4-only --inet6-only --no-check-certificate --content-disposition --spider --show-progress --no-cookies --trust-server-names
    --content-on-error --no-cache --no-proxy --no-hsts --no-config --auth-no-challenge --version --help -V -h`,
  value: `-t --tries -T --timeout --connect-timeout --read-timeout --dns-timeout -w --wait -U --user-agent --header --referer -Q --quota -A -R -D -I -X
    --accept --reject --limit-rate --ca-certificate --max-redirect --level --waitretry --random-wait --progress --prefer-family
    --retry-on-http-error --keep-session-cookies --secure-protocol`,
  method: '--method',
  data: '--post-data --body-data',
  file: '--post-file --body-file',
  output:
    '-O -o -a -P --output-document --output-file --append-output --directory-prefix --save-cookies --warc-file',
  login:
    '--user --password --http-user --http-password --ftp-user --ftp-password --load-cookies --certificate --private-key',
  reference: '-i --input-file --config -B --base --use-askpass --ask-password',
  redirect: '-e --execute --bind-address --dns-servers --proxy-user --proxy-password',
})

interface Request {
  method: string
  place: Place | undefined
  /** Something that is sent does not stand in the arguments, or what is sent is not known. */
  hidden: boolean
  /** What comes is a file by a name that the URL or the host gives it. */
  named: boolean
}

/** curl and wget: the method, what is sent, and where; a word that only the run decides may carry anything out. */
export function readFetch(call: Call, context: ShellContext): void {
  const { effects } = context
  const isWget = call.name === 'wget'
  const request: Request = { method: 'GET', place: undefined, hidden: false, named: isWget }
  const known = isWget ? WGET : CURL
  for (let i = 0; i < call.args.length; i += 1) {
    const arg = call.args[i] ?? ''
    request.hidden ||= call.open[i] === true
    if (!arg.startsWith('-') || arg === '-') readTarget(arg, request, context)
    else if (readOption(arg, call.args[i + 1], known, request, context)) {
      i += 1
      request.hidden ||= call.open[i] === true
    }
  }
  readRequest(request.method, request.place ?? 'outside', effects)
  if (request.hidden)
    raise(
      effects,
      { capability: 'network', reversibility: 'irreversible' },
      'a request that carries what only the run decides',
    )
  if (request.place !== 'local' && request.place !== 'inside') signal(effects, 'outside', 1)
  if (request.named) noteDownloads(call, effects)
}

/** What is kept under the name that its URL ends in, if the host does not give it another. */
function noteDownloads(call: Call, effects: Effects): void {
  for (const arg of call.args) {
    if (arg.startsWith('-')) continue
    const path = arg.split(/[?#]/, 1)[0] ?? ''
    noteWritten(path.slice(path.lastIndexOf('/') + 1) || 'index.html', undefined, effects)
  }
  if (call.args.some((arg) => NAMES_BY_HOST.test(arg))) signal(effects, 'code', 1)
}

const NAMES_BY_HOST =
  /^(?:-[a-zA-Z]*[JrmiKp]|--(?:remote-header-name|content-disposition|trust-server-names|recursive|mirror|page-requisites|input-file))/

/** A URL or host; patterns in it are more than one. */
function readTarget(url: string, request: Request, context: ShellContext): void {
  const isPatterned = /[{}\\`$]/.test(url.split(/[?#]/, 1)[0] ?? '') || /\[(?![\da-f:.]+\])/i.test(url)
  request.place = farther(request.place, isPatterned ? 'outside' : placeOfHost(url, context))
  readUrl(url, context.effects)
}

/** Reads one argument of options, `-sSLo` and `--data=x` too; true where it takes the next word. */
function readOption(
  arg: string,
  next: string | undefined,
  known: ReadonlyMap<string, Effect>,
  request: Request,
  context: ShellContext,
): boolean {
  if (arg.startsWith('--') || known.has(arg)) {
    const equals = arg.indexOf('=')
    const name = equals > 0 ? arg.slice(0, equals) : arg
    const effect = known.get(name)
    if (effect === undefined) request.hidden = true
    const takes = effect !== undefined && effect !== 'flag' && equals < 0
    act(effect, name, equals > 0 ? arg.slice(equals + 1) : takes ? (next ?? '') : '', request, context)
    return takes && name !== '-n' && !name.startsWith('--netrc-o') && name !== '--netrc'
  }
  for (let i = 1; i < arg.length && i < 32; i += 1) {
    const name = `-${arg.charAt(i)}`
    const effect = known.get(name)
    if (effect === undefined) request.hidden = true
    if (effect === 'flag' || effect === undefined || name === '-n') {
      if (effect === 'reference') request.hidden = true
      request.named ||= effect === 'flag' && name === '-O'
      continue
    }
    const attached = arg.slice(i + 1)
    act(effect, name, attached === '' ? (next ?? '') : attached, request, context)
    return attached === ''
  }
  return false
}

function act(
  effect: Effect | undefined,
  name: string,
  value: string,
  request: Request,
  context: ShellContext,
): void {
  const { effects } = context
  if (/^-O$|^--(?:remote-name|output-document)/.test(name)) request.named = effect === 'flag'
  if (effect === 'method') request.method = value || 'POST'
  else if (effect === 'output') keep(value, context)
  else if (effect === 'reference' || effect === undefined) request.hidden = true
  else if (effect === 'url') readTarget(value, request, context)
  else if (effect === 'redirect') redirect(value, request, context)
  else if (effect === 'login') {
    raise(effects, { confidentiality: 'internal' }, 'a request that logs in')
    // A name of a file, unless it is a name and a password or a cookie itself.
    if (!/^-u|^--user|^--http-|^--ftp-|^--pass|^--oauth2/.test(name) && !value.includes('='))
      request.hidden = true
  } else if (effect === 'data' || effect === 'file') {
    if (request.method === 'GET') request.method = 'POST'
    readData(effect, name, value, request, context)
  } else if (effect === 'value' && /^@|^$/.test(value) && /^-H|^--header|^-w|^--write-out/.test(name))
    request.hidden = true
}

/** Data from a file is a file read, and is sent by its name. */
function readData(
  effect: Effect,
  name: string,
  value: string,
  request: Request,
  { effects }: ShellContext,
): void {
  const at = value.search(/[@<]/)
  const isText =
    name === '--data-raw' || name === '--form-string' || name === '--post-data' || name === '--body-data'
  const file = effect === 'file' ? value : at >= 0 && !isText ? value.slice(at + 1) : undefined
  if (file === undefined) return
  // `-d 'mail=a@b.c'` is text; `-F f=@a.csv` and `-d @a.csv` are files, and a name behind `@` may be either in the rest.
  const isFile =
    effect === 'file' ||
    at === 0 ||
    /^-F|^--form/.test(name) ||
    name.includes('urlencode') ||
    name.includes('query')
  if (!isFile) return
  request.hidden = true
  if (file !== '') raise(effects, pathKindOf(file).reads, 'a request that sends a file')
}

function redirect(value: string, request: Request, context: ShellContext): void {
  const place = /^(?:\/|@)/.test(value) ? 'outside' : placeOfHost(value, context)
  request.place = farther(request.place, place)
  request.hidden = true
  raise(
    context.effects,
    place === 'outside' ? COMMAND_LABELS.SEND : {},
    'a request that goes through another host',
  )
}

function keep(path: string, { effects }: ShellContext): void {
  raise(effects, pathKindOf(path.includes('://') ? '.' : path).writes, 'a download is kept')
  noteWritten(path, undefined, effects)
}
