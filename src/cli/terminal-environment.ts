// What stands between the program and the person, as far as the environment tells.

/** What the environment says of the terminal. */
export interface TerminalEnvironment {
  readonly term: string
  readonly colorterm: string
  readonly locale: string
  /** The programs that stand between us and the terminal. */
  readonly within: readonly string[]
}

export function terminalEnvironment(env: { readonly [name: string]: string | undefined }): TerminalEnvironment {
  const between = [
    ["tmux", env.TMUX],
    ["screen", env.STY],
    ["zellij", env.ZELLIJ],
    ["ssh", env.SSH_CONNECTION],
  ] as const
  return {
    term: env.TERM ?? "",
    colorterm: env.COLORTERM ?? "",
    locale: env.LC_ALL || env.LC_CTYPE || env.LANG || "",
    within: between.flatMap(([name, value]) => (value ? [name] : [])),
  }
}
