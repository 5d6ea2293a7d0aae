// Checks what holds for any values with values that are drawn.
import fc from "fast-check"

type Values = [unknown, ...unknown[]]
type Sources<V extends Values> = { readonly [place in keyof V]: fc.Arbitrary<V[place]> }
type Check<V extends Values> = (...drawn: V) => unknown
/** How many values are tried, or the library's own options. */
type Effort<V extends Values> = number | fc.Parameters<[V]>

/** Rejects with the smallest values found for which `check` throws or is false. */
export async function forAll<V extends Values>(from: Sources<V>, effort: Effort<V>, check: Check<V>): Promise<void> {
  const drawn: fc.Arbitrary<V> = fc.tuple<V>(...from)
  const options = typeof effort === "number" ? { numRuns: effort } : effort
  await fc.assert(
    fc.asyncProperty(drawn, async values => (await check(...values)) !== false),
    options,
  )
}
