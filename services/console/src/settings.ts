import { SIGNING_KEY, type ConfigOf, kafkaSettings, serviceSettings, setting } from '@plimsoll/runtime'

/** What `plimsoll console` reads from its environment. */
export const consoleSettings = {
  ...kafkaSettings,
  ...serviceSettings,
  usersFile: setting.text({
    env: 'PLIMSOLL_CONSOLE_USERS',
    doc: 'File of the people who may use the console, YAML or JSON: their names, their roles by tenant, and the SHA-256 of their tokens.',
    expects: 'the path of a file',
    required: true,
  }),
  databaseFile: setting.text({
    env: 'PLIMSOLL_CONSOLE_DATABASE',
    doc: 'File of the database that the console reads the log into. It can be deleted: the next start reads the log again. `:memory:` keeps nothing.',
    default: ':memory:',
    expects: 'the path of a file, or `:memory:`',
  }),
  consoleHost: setting.text({
    env: 'PLIMSOLL_CONSOLE_HOST',
    doc: 'Address to listen on; `0.0.0.0` for every address of the machine. It has no TLS: put a TLS proxy in front of it.',
    default: '127.0.0.1',
    expects: 'a host name or address',
    pattern: /^[0-9A-Za-z.:_-]+$/,
  }),
  consolePort: setting.integer({
    env: 'PLIMSOLL_CONSOLE_PORT',
    doc: 'Port of the page; 0 for any that is free.',
    default: '9466',
    max: 65_535,
  }),
  publicUrl: setting.url({
    env: 'PLIMSOLL_CONSOLE_URL',
    doc: 'Address at which people open the page, if a proxy is in front of it. With `https` cookies are sent over TLS only.',
    protocols: ['http', 'https'],
  }),
  retentionDays: setting.integer({
    env: 'PLIMSOLL_CONSOLE_DAYS',
    doc: 'How long the database keeps a session after its last event, with the texts that its client discloses.',
    default: '7',
    min: 1,
    max: 3_650,
  }),
  sessionsMax: setting.integer({
    env: 'PLIMSOLL_CONSOLE_SESSIONS_MAX',
    doc: 'Most sessions that the database keeps; the oldest go first.',
    default: '20000',
    min: 100,
    max: 1_000_000,
  }),
  signingKey: setting.text(SIGNING_KEY),
}

export type ConsoleConfig = ConfigOf<typeof consoleSettings>
