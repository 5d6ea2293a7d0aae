// Checks the packed adapter in Paperclip's plugin loader and in a real server on loopback.
// `bun tools/paperclip-host/run.ts [DIR]`: DIR keeps the server's packages for the next time, and pictures of the page.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { check, finish, say } from "./checks.ts"
import { fetchServer, packAdapter } from "./packages.ts"
import { checkLoader, checkNodes } from "./plugin-loader.ts"
import { startServer } from "./server.ts"
import { walk } from "./walk.ts"

const scratch = mkdtempSync(join(tmpdir(), "paperclip-host-"))
const kept = process.argv[2]
const pictures = kept === undefined ? mkdtempSync(join(tmpdir(), "paperclip-pictures-")) : join(kept, "pictures")
const modules = kept ?? join(scratch, "server")
try {
  mkdirSync(modules, { recursive: true })
  const adapter = await packAdapter(scratch)
  await fetchServer(modules)
  await checkLoader(modules, adapter)
  await checkNodes(adapter)
  const server = await startServer(modules, scratch)
  try {
    await walk(server, adapter, pictures, scratch)
  } finally {
    await server.stop()
  }
  check("the server and all that it started are gone", await server.isGone())
} catch (error) {
  check(`nothing goes wrong on the way: ${error instanceof Error ? error.stack : String(error)}`, false)
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
say("")
process.exitCode = finish()
