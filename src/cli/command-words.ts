// Splits a command line into words.

/** Splits a command as a shell would: quotes group words, a backslash escapes one character. Expands nothing. */
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
