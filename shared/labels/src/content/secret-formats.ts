/** A credential that its issuer made recognisable: how it begins, what follows, and how much of that, characters. */
export interface SecretFormat {
  readonly prefix: string
  readonly body: RegExp
  readonly bodyMin: number
  readonly bodyMax: number
}

const ALPHANUMERIC = /^[A-Za-z0-9]+$/
const UPPER = /^[A-Z0-9]+$/
const HEX = /^[a-f0-9]+$/
const URL_SAFE = /^[\w-]+$/
const DOTTED = /^[\w.-]+$/

const format = (prefix: string, body: RegExp, bodyMin: number, bodyMax = bodyMin): SecretFormat => ({
  prefix,
  body,
  bodyMin,
  bodyMax,
})

/** As the issuers document them. Bodies are one class of characters each, so that checking one is one pass. */
export const SECRET_FORMATS: readonly SecretFormat[] = [
  ...['AKIA', 'ASIA', 'ABIA', 'ACCA'].map((prefix) => format(prefix, UPPER, 16)),
  ...['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'].map((prefix) => format(prefix, ALPHANUMERIC, 36, 251)),
  format('github_pat_', URL_SAFE, 60, 120),
  ...['glpat-', 'gldt-', 'glrt-', 'glcbt-'].map((prefix) => format(prefix, DOTTED, 20, 64)),
  format('sk-ant-', URL_SAFE, 80, 120),
  ...['sk-proj-', 'sk-svcacct-', 'sk-or-v1-'].map((prefix) => format(prefix, URL_SAFE, 40, 200)),
  format('sk-', ALPHANUMERIC, 32, 64),
  ...['sk_live_', 'rk_live_', 'sk_test_', 'rk_test_', 'whsec_'].map((prefix) =>
    format(prefix, ALPHANUMERIC, 16, 250),
  ),
  format('AIza', URL_SAFE, 35),
  format('ya29.', DOTTED, 20, 250),
  format('GOCSPX-', URL_SAFE, 28),
  ...['xoxb-', 'xoxp-', 'xoxa-', 'xoxr-', 'xoxs-', 'xapp-'].map((prefix) =>
    format(prefix, URL_SAFE, 20, 250),
  ),
  format('SG.', DOTTED, 66),
  format('key-', HEX, 32),
  format('SK', HEX, 32),
  format('npm_', ALPHANUMERIC, 36),
  format('pypi-AgE', URL_SAFE, 50, 248),
  format('hf_', ALPHANUMERIC, 34),
  format('gsk_', ALPHANUMERIC, 52),
  format('xai-', ALPHANUMERIC, 80),
  format('r8_', ALPHANUMERIC, 37),
  ...['shpat_', 'shpca_', 'shppa_', 'shpss_'].map((prefix) => format(prefix, /^[A-Fa-f0-9]+$/, 32)),
  ...['dop_v1_', 'doo_v1_', 'dor_v1_'].map((prefix) => format(prefix, HEX, 64)),
  format('lin_api_', ALPHANUMERIC, 40),
  format('ntn_', ALPHANUMERIC, 40, 60),
  format('secret_', ALPHANUMERIC, 43),
  format('dapi', HEX, 32, 34),
  format('hvs.', URL_SAFE, 24, 250),
  format('AGE-SECRET-KEY-1', UPPER, 58),
  format('ops_eyJ', URL_SAFE, 100, 249),
  format('eyJ', DOTTED, 24, 253),
]

/** No credential that anybody documents is shorter. */
export const SECRET_LENGTH_MIN = 18
