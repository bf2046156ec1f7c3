/** The engine's own version: raised whenever the same events and rules could give another decision. */
export const ENGINE_VERSION = '3'
