/** Our environment without the token of an agent. */
export function childEnvironment(): { readonly [name: string]: string | undefined } {
  const { OPENTUI_WS_TOKEN, ...env } = process.env
  return env
}
