import type { ClaimedLabels } from '@plimsoll/contracts'

/** What a command is whatever its arguments are. `paths`: its arguments are looked at as paths that it reads or writes. */
export interface CommandKind {
  readonly labels: ClaimedLabels
  readonly reason: string
  readonly paths?: 'reads' | 'writes'
  /** It runs nothing but itself and sends nothing, though it changes the system. */
  readonly complete?: true
}

const LOOK: ClaimedLabels = { capability: 'read', confidentiality: 'internal' }
const READ: ClaimedLabels = { ...LOOK, trust: 'untrusted' }
const WRITE: ClaimedLabels = { capability: 'write', reversibility: 'partial' }
const EXECUTE: ClaimedLabels = {
  capability: 'execute',
  confidentiality: 'internal',
  trust: 'untrusted',
  reversibility: 'partial',
}
const DESTROY: ClaimedLabels = { capability: 'execute', reversibility: 'irreversible' }
const ASK: ClaimedLabels = { capability: 'network', confidentiality: 'public', trust: 'untrusted' }
const SEND: ClaimedLabels = { ...ASK, confidentiality: 'internal', reversibility: 'irreversible' }
const INSTALL: ClaimedLabels = { ...ASK, reversibility: 'partial' }

export const COMMAND_LABELS = { LOOK, READ, WRITE, EXECUTE, DESTROY, ASK, SEND, INSTALL } as const

const listed = new Map<string, CommandKind>()
function put(names: string, kind: CommandKind): void {
  for (const name of names.trim().split(/\s+/)) listed.set(name, kind)
}

put(
  `: [ [[ ]] test true false echo printf pwd cd pushd popd dirs sleep date cal ncal seq yes expr bc let shopt set unset shift read return
   exit break continue wait jobs local declare typeset export readonly getopts umask ulimit clear reset tput stty basename dirname factor
         apropos whatis tty arch nproc uptime hwclock locale logout   times  numfmt
    disown `,
  { labels: {}, reason: 'a command that leaves nothing behind' },
)
put(
  `ls dir vdir ll tree du df stat find locate which whereis type whoami id groups who w users last lastlog ps pgrep pstree top htop free vmstat
   iostat lsof lsblk blkid lscpu lspci lsusb lsmod uname hostname  file realpath readlink wc cksum sum md5sum sha1sum sha256sum
   sha512sum b2sum cmp netstat ss      getconf  dmesg runlevel findmnt namei getfacl
   lsattr mountpoint logname ipcs nm  size   iwconfig pidof pwdx  dpkg-query pidstat mpstat sar`,
  { labels: LOOK, reason: 'a command that looks', paths: 'reads' },
)
put(
  `cat tac head tail less more most grep egrep fgrep zgrep zcat bzcat xzcat rg ag ack sort uniq cut tr rev paste join comm column fold fmt nl
   pr expand unexpand diff colordiff sdiff diff3 strings od xxd hexdump hd base64 base32 jq yq  csvcut csvlook awk gawk mawk nawk sed
   look tsort shuf iconv pdftotext  antiword zipinfo  bat tokei cloc    readelf objdump
   mediainfo unrtf docx2txt  jsonlint zless bzgrep`,
  { labels: READ, reason: 'a command that reads files', paths: 'reads' },
)
put(
  `mkdir touch cp ln mv  tee chmod chown chgrp split csplit gzip gunzip bzip2 bunzip2 xz unxz zip unzip tar 7z 7za unrar  patch
   mkfifo mknod rename dos2unix unix2dos  setfacl chattr mktemp    zstd unzstd lz4 fallocate
         link symlink uuencode uudecode sync indent autopep8 gofmt ar ranlib strip`,
  { labels: WRITE, reason: 'a command that writes files', paths: 'writes' },
)
put('rm unlink shred srm wipe rimraf trash', {
  labels: { capability: 'write', reversibility: 'irreversible' },
  reason: 'a command that deletes',
  paths: 'writes',
})
put('rmdir', { labels: WRITE, reason: 'a command that deletes empty folders', paths: 'writes' })
put('truncate', {
  labels: { ...WRITE, reversibility: 'irreversible' },
  reason: 'a command that cuts files',
  paths: 'writes',
})
put(
  `mkfs mkfs.ext2 mkfs.ext3 mkfs.ext4 mkfs.xfs mkfs.btrfs mkfs.vfat mkfs.fat mkfs.ntfs mke2fs mkswap wipefs fdisk sfdisk gdisk parted blkdiscard hdparm shutdown reboot halt poweroff init telinit userdel groupdel deluser
   delgroup dropdb dropuser swapoff cryptsetup lvremove vgremove pvremove zpool iptables-restore`,
  { labels: DESTROY, reason: 'a command that destroys or stops a system' },
)
put(
  `finger ping ping6 traceroute tracepath mtr dig nslookup host whois lynx links w3m elinks axel aria2c youtube-dl yt-dlp nmap masscan zmap nikto gobuster dirb
   ffuf sqlmap whatweb arping fping snmpwalk ldapsearch showmount rpcinfo smbmap enum4linux speedtest`,
  { labels: ASK, reason: 'a command that reaches the network' },
)
put(
  `ssh scp sftp ftp tftp lftp nc ncat netcat telnet socat rlogin rsh rcp mail mailx mutt sendmail swaks msmtp ssmtp smbclient mosh croc
   wormhole rclone s3cmd gsutil azcopy mc websocat wscat grpcurl ngrok cloudflared chisel frpc proxychains torsocks tor sshpass
   transfer ffsend sshfs autossh http https xh httpie twurl slackcat hydra msfconsole responder`,
  { labels: SEND, reason: 'a command that can send anything anywhere', paths: 'reads' },
)
put(
  `apt apt-get aptitude yum dnf zypper pacman apk brew snap flatpak emerge port pip pip2 pip3 pipx uv uvx poetry pdm conda mamba npm npx yarn pnpm
   bun bunx gem bundle cargo rustup go composer luarocks cpan cpanm opam stack cabal mvn gradle gradlew sbt nuget dotnet easy_install nvm pyenv
   rbenv sdkman choco winget scoop apt-cache`,
  { labels: INSTALL, reason: 'a package manager' },
)
put(
  `make cmake ninja meson gcc g++ cc c++ clang clang++ rustc javac java kotlinc tsc gdb strace ltrace perf valgrind pytest tox nox mypy
   black prettier isort flake8 pylint ruff eslint jest mocha vitest screen tmux expect systemctl service rc-service supervisorctl pm2 launchctl initctl at batch mount umount
   modprobe insmod rmmod useradd usermod groupadd adduser addgroup passwd chpasswd visudo iptables ip6tables nft ufw firewall-cmd swapon 
   fuser chsh chfn vipw update-alternatives ldconfig depmod dpkg rpm losetup mysql mariadb psql mongo mongosh
   redis-cli sqlplus clickhouse-client duckdb osascript powershell pwsh cmd wine qemu vagrant ansible ansible-playbook docker-compose jupyter
   uvicorn gunicorn flask django-admin celery airflow dbt spark-submit hadoop hdfs hive beeline openssl gpg gpg2 ssh-keygen ssh-agent ssh-add
   age sops vault pass bind enable alias unalias complete compgen caller source . crontab dd gcore tcpdump tshark wireshark`,
  { labels: EXECUTE, reason: 'a command that runs or configures something' },
)
// They look, and with other options or operands they change the system, run programs or reach other hosts: see `options.ts`.
put(
  'getent arp route ip ifconfig sysctl hostnamectl timedatectl loginctl journalctl man help info hash trap mapfile readarray submit',
  { labels: LOOK, reason: 'a command that looks' },
)
put('xmllint xsltproc html2text identify ffprobe', {
  labels: READ,
  reason: 'a command that reads files',
  paths: 'reads',
})
put('convert ffmpeg pandoc install cpio sponge', {
  labels: WRITE,
  reason: 'a command that writes files',
  paths: 'writes',
})
put('kill pkill killall renice', { labels: EXECUTE, reason: 'a command that ends programs', complete: true })
put('history', {
  labels: { capability: 'read', confidentiality: 'sensitive' },
  reason: 'a look at what was typed before',
})

/** Commands by name. One that is not here counts as running unknown code. */
export const COMMANDS: ReadonlyMap<string, CommandKind> = listed

export const UNKNOWN: CommandKind = { labels: EXECUTE, reason: 'an unknown command', paths: 'reads' }
