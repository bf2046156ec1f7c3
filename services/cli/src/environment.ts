import type { Settings } from '@plimsoll/runtime'

/** The settings for the help of a command: name and meaning. */
export function environmentOf(settings: Settings): Record<string, string> {
  return Object.fromEntries(
    Object.values(settings).map(({ env, doc, default: byDefault, isRequired }) => {
      const notes = isRequired ? ' Required.' : byDefault === undefined ? '' : ` Default: \`${byDefault}\`.`
      return [env, `${doc}${notes}`]
    }),
  )
}
