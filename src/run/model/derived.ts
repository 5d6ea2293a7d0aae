/**
 * A cache: makes a result again only if one of its inputs is another object or value than the last time. Each first
 * input has one result, for as long as that object lives.
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
