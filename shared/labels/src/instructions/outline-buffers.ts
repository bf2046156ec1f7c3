/** The segments of a text in order. The features of segment `s` are `features[from[s] … from[s + 1])`. */
export interface Outline {
  count: number
  start: Int32Array
  end: Int32Array
  from: Int32Array
  features: Int32Array
  /** Word classes in the segment. */
  presence: Int32Array
  /** Classes of the segment's first word. */
  lead: Int32Array
  marks: Int32Array
}

export const emptyOutline = (segments: number, features: number): Outline => ({
  count: 0,
  start: new Int32Array(segments),
  end: new Int32Array(segments),
  from: new Int32Array(segments),
  features: new Int32Array(features),
  presence: new Int32Array(segments),
  lead: new Int32Array(segments),
  marks: new Int32Array(segments),
})

export function growSegments(outline: Outline): void {
  for (const key of ['start', 'end', 'from', 'presence', 'lead', 'marks'] as const)
    outline[key] = doubled(outline[key])
}

export function growFeatures(outline: Outline): void {
  outline.features = doubled(outline.features)
}

function doubled(array: Int32Array): Int32Array {
  const larger = new Int32Array(array.length * 2)
  larger.set(array)
  return larger
}
