// Tests that sources do not keep the process alive, and do not hide errors.
import { expect, test } from "bun:test"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { fileScratch } from "../scratch.ts"

const dir = fileScratch()

const wire = join(import.meta.dir, "../../src/transport")

/** The output of a program that exits only once nothing in it is running. */
async function run(body: string): Promise<string> {
  const program = `
    import { replaySource } from "${wire}/replay.ts"
    const until = (source, wanted) => new Promise(resolve => source.start({
      frames() {}, restart() {}, link: link => { if (link.state === wanted) resolve(link) },
    }))
    ${body}
    console.log("stopped")
  `
  const child = Bun.spawn([process.execPath, "-e", program], { cwd: dir, stdout: "pipe", stderr: "pipe" })
  const [out, errors] = await Promise.all([child.stdout.text(), child.stderr.text()])
  expect([await child.exited, errors]).toEqual([0, ""])
  return out.trim()
}

test("watching an ended recording does not keep the process alive, nor does a stopped one", async () => {
  const path = join(dir, "run.jsonl")
  await writeFile(path, '{"kind":"phase","config":["a"]}\n'.repeat(100))
  const out = await run(`
    await until(replaySource({ path: "${path}" }), "ended")
    const looping = replaySource({ path: "${path}", timing: "paced", speed: 1, loop: true })
    await until(looping, "replaying")
    looping.stop()
  `)
  expect(out).toBe("stopped")
})
