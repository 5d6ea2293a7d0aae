// Splits a command line into words, as a shell would.

/**
 * The words of a command as a shell would split them, and nothing else that a shell would do: quotes hold words
 * together, a backslash takes the next character as it is.
 */
export function commandWords(command: string): readonly string[] {
  const words: string[] = []
  for (const [word] of command.matchAll(/(?:"(?:\\.|[^"\\])*"?|'[^']*'?|\\.|[^\s"'\\]|\\$)+/gs)) {
    words.push(word.replaceAll(/"((?:\\.|[^"\\])*)"?|'([^']*)'?|\\(.)/gs, unquoted))
  }
  return words
}

function unquoted(_: string, double?: string, single?: string, escaped?: string): string {
  return double?.replaceAll(/\\(["\\$`])/g, "$1") ?? single ?? escaped ?? ""
}
