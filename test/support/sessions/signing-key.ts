export const SIGNING_KEY = 'a key for tests, known to all'
