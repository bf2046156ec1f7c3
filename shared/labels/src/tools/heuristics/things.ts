import type { Confidentiality } from '@plimsoll/contracts'

/** A kind of thing that tools are about. */
export interface Thing {
  readonly kind: string
  /** Words and phrases, in the singular. */
  readonly words: readonly string[]
  /** Of what reading it returns; left out: nothing of note. */
  readonly confidentiality?: Confidentiality
  /** Others write it, so reading it returns their text. */
  readonly byOthers?: true
  /** The user wrote it, whatever else the name speaks of. */
  readonly byOneself?: true
  /** It is computed, measured or set up by those whose tool it is: nobody else writes into it. */
  readonly ours?: true
  /** Changing it reaches others. */
  readonly remote?: true
  readonly tags?: readonly string[]
}

const words = (text: string): string[] => text.split(/\s+/).map((word) => word.replaceAll('+', ' '))

/** The kinds of things; where a name holds several, the first that matches tells how confidential it is. */
export const THINGS: readonly Thing[] = [
  {
    kind: 'credentials',
    ours: true,
    words:
      words(`secret password passwd passphrase credential token apikey api+key private+key ssh+key access+key env environment
      environment+variable vault keychain otp`),
    confidentiality: 'credentials',
  },
  {
    kind: 'issues, code and reviews',
    words:
      words(`pull+request issue ticket repository repo commit gist fork jira confluence wiki gitlab github bitbucket bug
      merge+request discussion`),
    confidentiality: 'internal',
    byOthers: true,
    remote: true,
  },
  {
    kind: 'what others think of a place or a product',
    words: words('review rating testimonial'),
    confidentiality: 'public',
    byOthers: true,
    remote: true,
  },
  {
    kind: 'what is measured or computed of places and times',
    words:
      words(`geocode geocoding distance direction elevation coordinate route timezone weather forecast exchange+rate currency
      opening+hour holiday timetable`),
    confidentiality: 'public',
    ours: true,
  },
  {
    kind: 'places, prices, timetables',
    words: words(
      'hotel restaurant cuisine airport flight car rental museum movie stock price product product+type recipe',
    ),
    confidentiality: 'public',
    ours: true,
  },
  {
    kind: 'places that others describe',
    words: words('place map poi venue'),
    confidentiality: 'public',
    byOthers: true,
  },
  {
    kind: 'health',
    words: words(
      'patient medical medical+record patient+record health diagnosis prescription appointment+note lab+result',
    ),
    confidentiality: 'sensitive',
    tags: ['pii', 'health'],
  },
  {
    kind: "one's own or planned mail or payments",
    words: words('sent+email sent+mail draft+email scheduled+transaction scheduled+payment standing+order'),
    confidentiality: 'sensitive',
    byOneself: true,
  },
  {
    kind: 'money that came in, and who asks for it',
    words: words('transaction invoice receipt'),
    confidentiality: 'sensitive',
    byOthers: true,
    remote: true,
    tags: ['financial'],
  },
  {
    kind: 'an account number',
    ours: true,
    words: words('iban account+number'),
    confidentiality: 'internal',
    tags: ['financial'],
  },
  {
    kind: 'a balance',
    ours: true,
    words: words('balance statement budget'),
    confidentiality: 'sensitive',
    tags: ['financial'],
  },
  {
    kind: 'money',
    words: words('money payment bill salary payroll fund charge refund bank credit+card'),
    confidentiality: 'sensitive',
    remote: true,
    tags: ['financial'],
  },
  {
    kind: 'contacts',
    words: words('contact address+book phonebook'),
    confidentiality: 'internal',
    tags: ['pii'],
  },
  {
    kind: 'mail',
    words: words('email mail inbox gmail outlook mailbox imap newsletter'),
    confidentiality: 'sensitive',
    byOthers: true,
  },
  {
    kind: 'calendar',
    words: words('calendar event meeting appointment invitation'),
    confidentiality: 'internal',
    byOthers: true,
    remote: true,
  },
  {
    kind: 'messages',
    words: words(
      'message conversation thread chat comment post feed forum mention slack+history channel+history',
    ),
    confidentiality: 'internal',
    byOthers: true,
    remote: true,
  },
  {
    kind: 'somebody and what is known of them',
    words:
      words(`user+info user+information user+detail user+profile user+data customer customer+detail employee profile
      passenger personal ssn passport account+detail account+info`),
    confidentiality: 'sensitive',
    tags: ['pii'],
  },
  {
    kind: 'members and channels',
    words: words('user member channel team group workspace slack discord'),
    confidentiality: 'internal',
    byOthers: true,
    remote: true,
  },
  {
    kind: 'orders and bookings',
    words: words('order reservation booking subscription shipment'),
    confidentiality: 'internal',
    tags: ['pii'],
  },
  {
    kind: 'web pages',
    words:
      words(`web webpage website url uri http https html rss internet online google bing brave tavily duckduckgo serp
      search+engine browser puppeteer playwright web+page tweet twitter reddit youtube wikipedia arxiv`),
    confidentiality: 'public',
    byOthers: true,
    remote: true,
  },
  {
    kind: 'settings, time, numbers',
    ours: true,
    words: words(`allowed available+tool supported capability permission setting config preference
      status device network wifi roaming vpn time date day year timezone
      sum number random uuid`),
  },
  {
    kind: 'names and sizes of files, shape of a database',
    words: words(
      'directory folder dir tree metadata size table schema database file+info file+name filename index namespace',
    ),
    confidentiality: 'internal',
    ours: true,
  },
  {
    kind: 'definitions',
    words:
      words(`property definition workflow pipeline stage field column template type enum role permission policy version plan
      quota limit region zone instance cluster deployment service pod node resource project collection bucket queue topic cost billing usage`),
    confidentiality: 'internal',
    ours: true,
  },
  {
    kind: 'shared drives',
    words: words('cloud+drive drive gdrive dropbox sharepoint onedrive shared notion'),
    confidentiality: 'internal',
    byOthers: true,
  },
  {
    kind: 'files',
    words: words('file document doc pdf spreadsheet sheet note notebook image media text attachment line'),
    confidentiality: 'internal',
    byOthers: true,
  },
  {
    kind: 'code and records',
    words: words('code query record row log data page content search+result branch'),
    confidentiality: 'internal',
    byOthers: true,
  },
  {
    kind: 'what an agent remembers',
    words: words('memory graph node entity relation observation knowledge knowledge+base'),
    confidentiality: 'internal',
    byOthers: true,
  },
]

/** The kinds that `words` speak of, in the order of the table. */
export function thingsIn(words: readonly string[]): readonly Thing[] {
  const text = ` ${words.join(' ')} `
  return THINGS.filter(({ words }) => words.some((word) => text.includes(` ${word} `)))
}
