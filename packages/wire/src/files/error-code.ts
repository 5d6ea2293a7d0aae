// Reads the code of a system error.

/** The code, such as ENOENT; an empty string if `error` has none. */
export function errorCode(error: unknown): string {
  return typeof error === "object" && error !== null && "code" in error ? String(error.code) : ""
}
