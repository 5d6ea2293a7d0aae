// Counts how often items of lists are read: what a computation costs, whatever the machine.
/** Counts the reads of items in all that it wraps. */
export class ReadCounter {
  reads = 0
  /** By the value, so that one that is read twice is the same both times. */
  private readonly wrapped = new WeakMap<object, object>()

  /** Wraps a value: arrays and packed chunks count, and what is within plain objects and arrays is wrapped too. */
  wrap<T>(value: T): T
  wrap(value: unknown): unknown {
    if (typeof value !== "object" || value === null) return value
    const known = this.wrapped.get(value)
    if (known !== undefined) return known
    const made = this.wrapperOf(value)
    this.wrapped.set(value, made)
    this.wrapped.set(made, made)
    return made
  }

  /** Wraps the array in a field that may be private, with its items as they are. */
  watch(owner: object, field: string): void {
    const items: unknown = Reflect.get(owner, field)
    if (!Array.isArray(items)) throw new TypeError(`${field} is no array`)
    Reflect.set(
      owner,
      field,
      this.counted(items, inner => inner),
    )
  }

  private wrapperOf(value: object): object {
    if (Array.isArray(value)) return this.counted(value, inner => this.wrap(inner))
    if (Object.getPrototypeOf(value) === Object.prototype) {
      // A copy: of a frozen object, a proxy must give what it holds.
      return new Proxy({ ...value }, { get: (target, key) => this.wrap(Reflect.get(target, key)) })
    }
    if (!("get" in value && typeof value.get === "function" && "repack" in value)) return value
    const get = value.get.bind(value)
    const counted = (index: number): unknown => {
      this.reads++
      return get(index)
    }
    return new Proxy(value, { get: (target, key) => (key === "get" ? counted : Reflect.get(target, key)) })
  }

  private counted<T>(items: T[], within: (inner: unknown) => unknown): T[] {
    return new Proxy(items, {
      get: (target, key, receiver) => {
        if (typeof key === "string" && /^\d+$/.test(key)) this.reads++
        return within(Reflect.get(target, key, receiver))
      },
    })
  }
}
