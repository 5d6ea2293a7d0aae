// Starts a program that the modes of files bind, also where a superuser runs the tests.

/** What stands before a command: root keeps its name and loses the right to read what it may not. */
export const bound: readonly string[] =
  process.getuid?.() === 0 ? ["setpriv", "--bounding-set=-dac_override,-dac_read_search", "--"] : []
