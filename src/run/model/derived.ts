/**
 * A cache. Given inputs and how to make a result of them, it makes the result only where an input is not the same as
 * the last time. The first input keeps it: each such object has one result, for as long as the object lives.
 */
export function derived<Value>(): (inputs: readonly [object, ...unknown[]], make: () => Value) => Value {
  const kept = new WeakMap<object, { readonly inputs: readonly unknown[]; readonly value: Value }>()
  return (inputs, make) => {
    const last = kept.get(inputs[0])
    if (last?.inputs.length === inputs.length && inputs.every((input, at) => input === last.inputs[at]))
      return last.value
    const value = make()
    kept.set(inputs[0], { inputs, value })
    return value
  }
}
