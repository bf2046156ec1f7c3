import {
  fingerprintSettings,
  identitySettings,
  kafkaSettings,
  redisSettings,
  serviceSettings,
  setting,
  type ConfigOf,
} from '@plimsoll/runtime'

/** What `plimsoll gateway` reads from its environment. */
export const gatewaySettings = {
  ...kafkaSettings,
  ...serviceSettings,
  ...fingerprintSettings,
  ...identitySettings,
  ...redisSettings,
  lineages: setting.choice(['redis', 'memory'])({
    env: 'PLIMSOLL_GATEWAY_LINEAGES',
    doc: 'Where it is kept what the sessions of an agent have come to know, for those that it begins after them: `redis`, or the `memory` of a gateway that is the only one.',
    default: 'redis',
  }),
  principalsFile: setting.text({
    env: 'PLIMSOLL_PRINCIPALS',
    doc: 'File of those who may speak to the gateway, YAML or JSON: their names and rights, the SHA-256 of their API keys, issuers of OIDC tokens.',
    expects: 'the path of a file',
    required: true,
  }),
  gatewayHost: setting.text({
    env: 'PLIMSOLL_GATEWAY_HOST',
    doc: 'Where agents are served; `0.0.0.0` for every address of the machine. Speaks no TLS: put something in front of it that does.',
    default: '127.0.0.1',
    expects: 'a host name or address',
    pattern: /^[0-9A-Za-z.:_-]+$/,
  }),
  gatewayPort: setting.integer({
    env: 'PLIMSOLL_GATEWAY_PORT',
    doc: 'Port at which agents are served; 0 for any that is free.',
    default: '9465',
    max: 65_535,
  }),
  proposalTimeoutMs: setting.integer({
    env: 'PLIMSOLL_GATEWAY_TIMEOUT_MS',
    doc: "How long a step waits for its verdict before its tool's fail mode answers, where it does not say.",
    default: '2000',
    min: 10,
    max: 60_000,
  }),
}

export type GatewayConfig = ConfigOf<typeof gatewaySettings>
