// Freezes a value deeply, so that a write to a kept state throws.
/** Returns `value`, deeply frozen. Frozen parts are skipped, so that repeated calls stay cheap. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value
  // Typed arrays can't be frozen.
  if (ArrayBuffer.isView(value)) return value
  Object.freeze(value)
  for (const member of Object.values(value)) deepFreeze(member)
  return value
}
