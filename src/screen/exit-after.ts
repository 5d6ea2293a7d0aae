// Ends the process once the last of a run is sent.

/** Ends the process with `code`, at once if nothing is being sent. */
export function exitAfter(sending: Promise<void> | null, code: number): void {
  if (sending === null) process.exit(code)
  void sending.finally(() => process.exit(code))
}
