/** The values of `source` until `signal` aborts; then it throws the signal's reason. */
export async function* stoppable<T>(source: AsyncIterable<T>, signal?: AbortSignal): AsyncGenerator<T> {
  for await (const value of source) {
    signal?.throwIfAborted()
    yield value
  }
}
