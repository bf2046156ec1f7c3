/** The engine's version: raised whenever the same events and rules can give another decision. */
export const ENGINE_VERSION = '13'
