// Lists the shells that stop jobs.
/** Each as a command. */
export const shells = [
  ["bash", "--norc", "--noprofile", "--noediting", "-i"],
  // This shell does not change the terminal's modes.
  ["dash", "-i"],
].filter(([name = ""]) => Bun.which(name) !== null)
