/** As `map`, without an array of its own where there is nothing: most steps report no such list. An empty result is not to be written to. */
export const mapped = <From, To>(list: readonly From[] | undefined, make: (from: From) => To): To[] =>
  list === undefined || list.length === 0 ? NOTHING : list.map((each) => make(each))

const NOTHING: never[] = []
