import {
  SIGNING_KEY,
  catalogueSettings,
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
  ...catalogueSettings,
  lineages: setting.choice(['redis', 'memory'])({
    env: 'PLIMSOLL_GATEWAY_LINEAGES',
    doc: "Where the gateway keeps what the sessions of an agent (and a host's unnamed sessions) have read, for sessions that start later: `redis`, or `memory` if there is only one gateway. With `memory` every session counts as having read the worst in the first hour after a start.",
    default: 'redis',
  }),
  principalsFile: setting.text({
    env: 'PLIMSOLL_PRINCIPALS',
    doc: 'File of the principals that may use the gateway, YAML or JSON: their names, rights and the SHA-256 of their API keys, and issuers of OIDC tokens.',
    expects: 'the path of a file',
    required: true,
  }),
  gatewayHost: setting.text({
    env: 'PLIMSOLL_GATEWAY_HOST',
    doc: 'Address to listen on; `0.0.0.0` for every address of the machine. It has no TLS: put a TLS proxy in front of it.',
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
    doc: "How long a step waits for its verdict before its tool's fail mode answers, if the step sets no timeout.",
    default: '2000',
    min: 10,
    max: 60_000,
  }),
  disclosedTools: setting.list({
    env: 'PLIMSOLL_GATEWAY_DISCLOSE',
    doc: 'Tools whose arguments are published in clear, with commas between (`send_*` for a prefix): for humans who use `plimsoll approve`, and for policies that read arguments. Default: none.',
  }),
  mcpServersFile: setting.text({
    env: 'PLIMSOLL_MCP_SERVERS',
    doc: 'File of MCP servers, YAML or JSON, that the gateway guards at `/mcp`; without it there is no MCP.',
    expects: 'the path of a file',
  }),
  mcpPinsFile: setting.text({
    env: 'PLIMSOLL_MCP_PINS',
    doc: 'File in which the approved definitions of MCP tools are kept (`plimsoll mcp approve`). Without it they are kept until the gateway stops.',
    expects: 'the path of a file',
  }),
  mcpAllowNew: setting.flag({
    env: 'PLIMSOLL_MCP_ALLOW_NEW',
    doc: 'Whether to offer tools that an MCP server adds later without an approval, as unknown ones.',
    default: 'false',
  }),
  mcpApprovedOnly: setting.flag({
    env: 'PLIMSOLL_MCP_APPROVED_ONLY',
    doc: 'Whether MCP servers that were never approved are withheld. Otherwise their tools are approved at first sight.',
    default: 'false',
  }),
  signingKey: setting.text(SIGNING_KEY),
}

export type GatewayConfig = ConfigOf<typeof gatewaySettings>
