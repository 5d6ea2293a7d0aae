// Freezes a value deeply, so that a write to a kept state throws.

/** Gives back `value`, frozen with all that it holds. What is frozen already is passed over, so that cost stays flat. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value
  // Columns of numbers cannot be frozen.
  if (ArrayBuffer.isView(value)) return value
  Object.freeze(value)
  for (const member of Object.values(value)) deepFreeze(member)
  return value
}
