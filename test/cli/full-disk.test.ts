// Tests that every command that writes says so, and leaves no half-made file, where nothing more can be written.
import { describe, expect, test } from "bun:test"
import { mkdtemp, readdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { fixture } from "../fixtures.ts"
import { guestFixture } from "../guest/reading.ts"
import { fileScratch } from "../scratch.ts"
import { sidecar } from "./ran.ts"

/** Files may have 1 KB, in two blocks. */
const SMALL_FILES = ["sh", "-c", 'ulimit -f 2; exec "$@"', "sh"]

const scratch = fileScratch()

const demo = fixture("demo")

describe("on a full disk", () => {
  test.each([
    ...["fold DEMO", "export DEMO --as html", "export DEMO --as jsonl", "compare DEMO DEMO", "search the DEMO"],
    ...["replay DEMO --plain", "--help", "--version", "--doctor"],
  ])("%s ends with 1 and one line about it", async words => {
    const args = words.split(" ").map(word => (word === "DEMO" ? demo : word))
    const before = ["sh", "-c", '"$@" >/dev/full', "sh"]
    const { code, err } = await sidecar(args, { cwd: scratch, before })
    expect([err, code]).toEqual([expect.stringMatching(/^opentui-sidecar[a-z ]*: [^\n]*disk full\n$/), 1])
  })

  test("an export to a file leaves the old file and no part of the new one", async () => {
    const [directory, file] = [await mkdtemp(join(scratch, "out-")), "run.html"]
    await writeFile(join(directory, file), "the old one")
    const args = ["export", demo, "-o", join(directory, file)]
    const limited = { cwd: scratch, before: SMALL_FILES }
    const { code, err } = await sidecar(args, limited)
    expect([err, code]).toEqual(["opentui-sidecar export: file size limit reached\n", 1])
    // Also beside a run that can't be read.
    const both = await sidecar(["export", demo, "nowhere", "--as", "html", "-o", directory], limited)
    expect([both.code, both.err.includes("nowhere: no such file")]).toEqual([1, true])
    expect(await readdir(directory)).toEqual([file])
    expect(await readFile(join(directory, file), "utf8")).toBe("the old one")
  })

  test("a log that can't be converted is refused with the reason, and nothing of it stays", async () => {
    const cwd = await mkdtemp(join(scratch, "log-"))
    const args = ["fold", guestFixture("hermes.log")]
    const before = ["env", `TMPDIR=${cwd}`, ...SMALL_FILES]
    const { code, err } = await sidecar(args, { cwd, before })
    expect([err, code]).toEqual([expect.stringContaining("file size limit reached"), 2])
    expect(await readdir(cwd)).toEqual([])
  })
})

test("a command whose reader is gone ends silently", async () => {
  for (const args of [["fold", demo], ["--help"], ["--doctor"]]) {
    const before = ["bash", "-c", '"$@" | true; exit $PIPESTATUS', "bash"]
    expect(await sidecar(args, { cwd: scratch, before })).toMatchObject({ code: 0, err: "" })
  }
})
