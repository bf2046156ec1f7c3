/** `--catalogue` of every command that labels tools: in a file of its own, for it means the same in each. */
export const CATALOGUE_HELP =
  'a tool catalogue that adds to those that ship, its entries first; given again, the last one wins'

export const catalogueOption = { type: 'list', value: 'FILE', help: CATALOGUE_HELP } as const
