// Starts a program that the modes of files bind, also where a superuser runs the tests.
/** The prefix of a command: root loses its right to read files whose modes forbid it. */
export const bound: readonly string[] =
  process.getuid?.() === 0 ? ["setpriv", "--bounding-set=-dac_override,-dac_read_search", "--"] : []
