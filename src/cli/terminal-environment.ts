// Reads what the environment says about the terminal.

export interface TerminalEnvironment {
  readonly term: string
  readonly colorterm: string
  readonly locale: string
  /** Programs between us and the terminal. */
  readonly within: readonly string[]
}

export function terminalEnvironment(env: { readonly [name: string]: string | undefined }): TerminalEnvironment {
  const programs = [
    ["tmux", env.TMUX],
    ["screen", env.STY],
    ["zellij", env.ZELLIJ],
    ["ssh", env.SSH_CONNECTION],
  ] as const
  return {
    term: env.TERM ?? "",
    colorterm: env.COLORTERM ?? "",
    locale: env.LC_ALL || env.LC_CTYPE || env.LANG || "",
    within: programs.flatMap(([name, value]) => (value ? [name] : [])),
  }
}
