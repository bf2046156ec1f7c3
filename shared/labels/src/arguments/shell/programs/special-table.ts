import { byWord } from '../../../text/data.js'
import { type Special, readConnection, readLookup, readSender } from '../call.js'
import { crontab } from './crontab.js'
import { readDatabase } from './database.js'
import { remove, rimraf } from './deletions.js'
import { awk, sed } from './editors.js'
import { readFetch } from './fetch.js'
import { readApi, readHttpie } from './http-clients.js'
import { evaluated, readInterpreter } from './interpreters.js'
import { launcher } from './own-controls.js'
import { remoteShell } from './remote-shell.js'
import { localStore, opens } from './local-stores.js'
import { rsync } from './rsync.js'
import {
  callback,
  codeRunner,
  dd,
  environment,
  evaluate,
  find,
  keys,
  later,
  parallel,
  reader,
  shell,
  sourced,
  su,
  subscripts,
  tar,
  variables,
} from './special.js'
import { cmd, powershell } from './windows.js'

/** Special readers by command name. Readers in the first table replace the reading by kind; the others add to it. */
const REPLACING: readonly (readonly [string, Special])[] = [
  ['sh bash zsh dash ash ksh fish csh tcsh rbash', shell],
  ['eval', evaluate],
  [
    'python python2 python3 ipython ipython3 pypy pypy3 node nodejs deno perl ruby irb php lua luajit Rscript R tclsh ocaml ghci julia groovy scala',
    readInterpreter,
  ],
  ['curl curlie wget', readFetch],
  ['http https xh xhs', readHttpie],
  ['ping ping6 dig nslookup host whois traceroute tracepath arping fping', readLookup],
  [
    `scp sftp ftp tftp lftp nc ncat netcat telnet socat rlogin rsh rcp mail mailx mutt sendmail swaks msmtp ssmtp smbclient mosh croc wormhole
     rclone s3cmd gsutil azcopy mc websocat wscat grpcurl ngrok cloudflared chisel`,
    readSender,
  ],
  ['source .', sourced],
  ['ssh', remoteShell],
  [
    `redis-cli valkey-cli createdb dropdb createuser dropuser pg_dump pg_dumpall pg_restore vacuumdb reindexdb clusterdb pg_isready mysqladmin
     mysqldump mongodump mongorestore mongoimport mongoexport`,
    localStore,
  ],
  ['open xdg-open', opens],
  ['rm unlink', remove],
  ['rimraf', rimraf],
  ['printenv', environment],
  ['crontab', crontab],
  ['dd', dd],
  ['tar bsdtar', tar],
  ['rsync', rsync],
  ['su runuser', su],
  ['parallel', parallel],
  ['trap alias', later],
  ['mysql mariadb psql sqlite3 duckdb clickhouse-client sqlcmd', readDatabase],
]
const ADDS: readonly (readonly [string, Special])[] = [
  ['find', find],
  ['bun tsx ts-node', evaluated],
  ['sed', sed],
  ['awk gawk mawk nawk', awk],
  ['set export declare typeset local readonly', variables],
  ['read getopts', reader],
  ['osascript', codeRunner],
  ['powershell powershell.exe pwsh pwsh.exe', powershell],
  ['cmd cmd.exe', cmd],
  ['mapfile readarray complete compgen bind script', callback],
  ['test [ let unset printf wait', subscripts],
  ['npx npm pnpm', launcher],
  ['gh glab', readApi],
  ['tmux screen', keys],
  ['openssl mongo mongosh sqlplus hive beeline', readConnection],
]

export const REPLACING_SPECIALS = byWord(REPLACING)
export const ADDING = byWord(ADDS)
