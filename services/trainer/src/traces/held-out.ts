/** The fold that every evaluation keeps for itself. */
export const TEST_FOLD = 4

/** Whether a session of this split and fold is kept from everything that ships. */
export const isKeptBack = (split: string | null | undefined, fold: number | null | undefined): boolean =>
  split === 'test' || fold === TEST_FOLD
