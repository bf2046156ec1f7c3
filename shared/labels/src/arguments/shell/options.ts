import { raise } from '../effects.js'
import type { Call, ShellContext } from './call.js'
import { COMMAND_LABELS } from './commands.js'

/** Arguments by which a command that otherwise only looks, reads or writes runs programs, changes the system or reaches other hosts. */
interface Risky {
  readonly names: string
  /** Arguments that do so. */
  readonly options?: RegExp
  /** All that its arguments may be; anything else does so. */
  readonly only?: RegExp
}

const LONG = '(?:=|$)'

const ROWS: readonly Risky[] = [
  { names: 'sort', options: /^--(?:com|fi|random-s)/ },
  { names: 'split', options: /^--fil/ },
  { names: 'rg', options: /^--(?:pre|hostname-bin|search-zip)|^-[a-zA-Z]*z/ },
  { names: 'ag ack', options: /^--(?:pager|ackrc|env|noenv)/ },
  { names: 'bat', options: /^--(?:pager|config)/ },
  { names: 'tree', options: /^--fromfile/ },
  { names: 'zip', options: /^-[a-zA-Z]*T|^--(?:unzip-command|test|TT)/ },
  { names: 'unzip zipinfo gzip gunzip bzip2 xz unxz zcat zstd lz4 7z 7za unrar', options: /^-TT/ },
  { names: 'diff sdiff colordiff', options: /^--(?:diff-program)/ },
  { names: 'install', options: /^--strip|^-[a-zA-Z]*s/ },
  { names: 'cpio', options: /^-[a-zA-Z]*[FOI]|^--(?:file|rsh-command|to-stdout)|:/ },
  { names: 'patch', options: /^-[a-zA-Z]*[eg]|^--(?:ed|get)/ },
  { names: 'date', options: new RegExp(`^(?:-[a-zA-Z]*s|--set)${LONG}`) },
  { names: 'less more zless', options: /^\+|^-[a-zA-Z]*[kKoOtTP]|^--(?:les|log|tag|lesskey|prompt)/ },
  { names: 'help', options: /^--?[^dms]/ },
  {
    names: 'man info',
    options: /^-[a-zA-Z]*[PHCTRXp]|^--(?:pager|html|config|gxd|recode|preproc|dvi|output)|:/,
  },
  { names: 'hash', options: /^-[a-zA-Z]*p/ },
  { names: 'mapfile readarray', options: /^-[a-zA-Z]*C/ },
  { names: 'column tput stty' },
  { names: 'shopt', options: /expand_aliases/ },
  { names: 'set', options: /^$/ },
  {
    names: 'getent',
    only: /^(?:-s|--|passwd|group|shadow|services|protocols|[a-z_][a-z0-9_-]{0,31}|\d{1,6})$/,
  },
  { names: 'arp', only: /^-[anev]+$/ },
  { names: 'route', only: /^-[nev]+$/ },
  { names: 'ifconfig', only: /^(?:-[as]+|lo|eth\d+|en[a-z\d]+|wl[a-z\d]+|docker\d+)$/ },
  {
    names: 'ip',
    only: /^(?:-[46bcdjors]+|-br|-brief|-json|-c|a|addr|address|l|link|r|ro|route|n|neigh|rule|show|list|ls|dev|lo|eth\d+|en[a-z\d]+)$/,
  },
  { names: 'sysctl', only: /^(?:-[anNebq]+|--all|--names|--values|[a-z_]+\.[\w.-]+)$/ },
  {
    names: 'hostnamectl timedatectl loginctl',
    only: /^(?:status|show|list-\w+|--no-pager|timesync-status)$/,
  },
  {
    names: 'journalctl',
    options: /^--(?:vacuum|rot|fl|sync|mac|root|dir|file|setup|update|pager-end)|^-[a-zA-Z]*[MD]/,
  },
  { names: 'hostname', only: /^(?:-[sfIiAd]+|--short|--fqdn|--all-ip-addresses|--ip-address|--help)$/ },
  // They read a URL where others read a file.
  {
    names:
      'xmllint xsltproc html2text identify ffprobe convert ffmpeg pandoc jq yq csvlook csvcut tokei cloc',
    options:
      /:\/\/|^(?:https?|ftp|msl|mvg|ephemeral|label|tcp|udp|rtmp|concat|pipe|fd|url):|^-[a-zA-Z]*F$|^--(?:filter|lua-filter|pdf-engine|extract-media|data-dir|defaults|metadata-file|load-trace|http|catalogs|nonet-off)|^@/i,
  },
  { names: 'base64 base32 xxd od' },
]

const RISKY: ReadonlyMap<string, Risky> = new Map(
  ROWS.flatMap((row) => row.names.split(' ').map((name) => [name, row] as const)),
)

/**
 * Raises what a command does by such arguments. An argument that may turn out to be an option counts as one, where the command has options
 * of that sort at all.
 */
export function readOptions(call: Call, { effects, variables }: ShellContext): void {
  const risky = RISKY.get(call.name)
  const { options, only } = risky ?? {}
  if (!options && !only) return
  for (const loose of call.loose) if (loose) variables.demand(loose, 'option')
  for (const [i, arg] of call.args.entries()) {
    const isRisky = only ? call.open[i] === true || !only.test(arg) : options?.test(arg) === true
    if (isRisky)
      return raise(effects, COMMAND_LABELS.EXECUTE, `\`${call.name}\` that may run or reach something`)
  }
}
