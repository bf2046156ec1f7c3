import { withReleasers, type OnRelease } from '@plimsoll/runtime'

/** Runs `work`, and gives back what it has acquired, in reverse order, however it ends. */
export async function within<T>(work: (onRelease: OnRelease) => Promise<T>): Promise<T> {
  const acquired = await withReleasers(work)
  await acquired.release()
  return acquired.value
}
