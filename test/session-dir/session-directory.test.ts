// Reads files, folders and tails of a session directory, and refuses everything outside it.
import { beforeAll, describe, expect, test } from "bun:test"
import { linkSync, realpathSync } from "node:fs"
import { mkdir, rm, symlink, truncate, utimes, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { MAX_LISTING_NAMES, MAX_READ_BYTES, SessionDirectory } from "../../src/session-dir/session-directory.ts"
import { openedDirectory } from "../captured.ts"
import { fileScratch } from "../scratch.ts"

const scratch = realpathSync(fileScratch())
const run = join(scratch, "run")
beforeAll(async () => {
  await mkdir(join(run, "nodes/a/0"), { recursive: true })
  await writeFile(join(run, "nodes/a/0/seed.edn"), "{:a 1}")
  await writeFile(join(run, "text"), "grün und blau")
  await writeFile(join(scratch, "secret"), "not yours")
  await mkdir(join(scratch, "run-too"))
  await writeFile(join(scratch, "run-too/secret"), "not yours")
  await symlink(join(scratch, "secret"), join(run, "leak"))
  await symlink("..", join(run, "up"))
  await symlink("nodes/a", join(run, "inside"))
  await symlink("nowhere", join(run, "broken"))
  await symlink("circle", join(run, "circle"))
  await Bun.spawn(["mkfifo", join(run, "pipe")]).exited
  await symlink(run, join(scratch, "alias"))
})

const opened = (path = run): Promise<SessionDirectory> => openedDirectory(path)

test("a directory is opened by its real path; anything else is an error", async () => {
  expect((await opened(join(scratch, "alias"))).path).toBe(run)
  expect(await SessionDirectory.open(join(scratch, "none"))).toEqual({ error: `${scratch}/none: no such file` })
  expect(await SessionDirectory.open(join(scratch, "secret"))).toEqual({ error: `${scratch}/secret: not a directory` })
  expect(await SessionDirectory.open("/no\x1b[2J\nwhere")).toEqual({ error: "/no␛[2J␊where: no such file" })
})

test("files in the directory are read, also through links that stay inside", async () => {
  const directory = await opened()
  expect((await directory.read("nodes/a/0/seed.edn")).value).toEqual({ text: "{:a 1}", end: 6, size: 6 })
  expect((await directory.read("inside/0/seed.edn")).value?.text).toBe("{:a 1}")
  expect((await directory.read("nodes/../text")).value?.text).toBe("grün und blau")
  const found = await directory.stat("inside/0/seed.edn")
  expect(found.value).toMatchObject({ path: join(run, "nodes/a/0/seed.edn"), size: 6 })
  expect(found.value?.changedAt).toBeGreaterThan(1e12)
})

test("a folder that is swapped for a link while it is used never leads outside", async () => {
  const root = join(scratch, "swapped")
  await mkdir(join(root, "folder"), { recursive: true })
  await writeFile(join(root, "folder/secret"), "mine")
  await symlink(join(scratch, "run-too"), join(root, "link"))
  await writeFile(join(scratch, "run-too/other"), "not yours")
  const directory = await opened(root)
  const swapper = new Worker(new URL("swapper.ts", import.meta.url), { workerData: root } as WorkerOptions)
  try {
    await new Promise(resolve => swapper.addEventListener("message", resolve, { once: true }))
    const counts = { mine: 0, other: 0 }
    for (let round = 0; counts.mine < 300 || round < 4000; round++) {
      const { value } = await directory.read("folder/secret")
      if (value?.text === "mine") counts.mine++
      else if (value !== undefined) counts.other++
      if (round % 4 > 0) continue
      const { value: listed } = await directory.list("folder")
      if (listed?.entries.some(({ name }) => name === "other")) counts.other++
    }
    expect(counts.other).toBe(0)
  } finally {
    swapper.terminate()
  }
})

test("a range is read, without an incomplete character at its end", async () => {
  const directory = await opened()
  // g r ü(2) n: the third byte is half of the ü.
  expect((await directory.read("text", 0, 3)).value).toEqual({ text: "gr", end: 3, size: 14 })
  expect((await directory.read("text", 10)).value).toEqual({ text: "blau", end: 14, size: 14 })
  expect((await directory.read("text", 99)).value?.text).toBe("")
  await writeFile(join(run, "nodes/a/cut"), Buffer.from("one\ntwo\n\xc3", "latin1"))
  expect((await directory.read("nodes/a/cut")).value?.text).toBe("one\ntwo\n\ufffd")
  const { value: lines } = await directory.openLines("nodes/a/cut", 4)
  expect(await lines?.next()).toEqual(["two"])
  await lines?.close()
})

describe("a read refuses with one line", () => {
  // Ways out by links, by dots and as an absolute path; what is no file; what is not there.
  const names = [
    ...["leak", "up/secret", "../secret", "nodes/../../secret", "../run-too/secret", "/etc/passwd", "pipe", "nodes"],
    ...["none", "broken", "circle", "\x1b[2J\n"],
  ]
  test("what leads out, is no file or is not there", async () => {
    const directory = await opened()
    const whys = names.map(async name => {
      const all = await Promise.all([directory.read(name), directory.stat(name), directory.openLines(name)])
      return all.map(({ error }) => error)
    })
    const told = await Promise.all(whys)
    expect(told.map(([why]) => why)).toMatchSnapshot()
    expect(told.filter(([why, ...others]) => why === undefined || others.some(one => one !== why))).toEqual([])
  })
  test("a name that no file can have", async () => {
    expect((await (await opened()).read("a\0b")).error).toStartWith("a␀b: ")
    expect((await (await opened()).read("x".repeat(5000))).error).toEndWith(": file name too long")
  })
  test("a folder outside the directory", async () => {
    const directory = await opened()
    expect(await directory.list("up")).toEqual({ error: "up: a link that leads outside the session directory" })
    expect(await directory.list("text")).toHaveProperty("error")
    const gone = join(scratch, "gone")
    await mkdir(gone)
    const other = await opened(gone)
    await rm(gone, { recursive: true })
    expect(await other.list("")).toEqual({ error: `${gone}: no such file` })
  })
})

test("a folder lists its files and folders by name, and unreadable entries as refused", async () => {
  const directory = await opened()
  const { value } = await directory.list("")
  expect(value?.truncated).toBe(false)
  expect(value?.entries.map(({ name, type, size }) => `${name} ${type} ${size}`)).toEqual([
    ...["broken refused 0", "circle refused 0", "inside folder 0", "leak refused 0", "nodes folder 0"],
    ...["pipe refused 0", "text file 14", "up refused 0"],
  ])
  expect((await directory.list("inside/0")).value?.entries).toMatchObject([{ name: "seed.edn", type: "file", size: 6 }])
})

test("a name with terminal codes is listed with a sanitized title, and is read by its raw name", async () => {
  await mkdir(join(run, "odd"))
  for (const name of ["a\x1b[2Jb", "turn-10", "turn-9"]) await writeFile(join(run, "odd", name), "x")
  await utimes(join(run, "odd/turn-9"), 7, 7)
  const directory = await opened()
  const { value } = await directory.list("odd")
  const numbered = [{ name: "turn-9", changedAt: 7000 }, { name: "turn-10" }]
  expect(value?.entries).toMatchObject([{ name: "a\x1b[2Jb", title: "a␛[2Jb" }, ...numbered])
  expect((await directory.read(`odd/${value?.entries[0]?.name}`)).value?.text).toBe("x")
})

test("one read is 16 MB at most, and one listing 10,000 names", async () => {
  await writeFile(join(run, "huge"), "")
  await truncate(join(run, "huge"), MAX_READ_BYTES + 1)
  const directory = await opened()
  const most = { end: MAX_READ_BYTES, size: MAX_READ_BYTES + 1 }
  expect((await directory.read("huge")).value).toMatchObject(most)
  expect((await directory.read("huge", 0, MAX_READ_BYTES + 1)).value).toMatchObject(most)
  await mkdir(join(run, "many"))
  // Links to one file: making as many files takes some machines half a minute.
  for (let i = 0; i <= MAX_LISTING_NAMES; i++) linkSync(join(run, "huge"), join(run, "many", `${i}`))
  const { value } = await directory.list("many")
  expect([value?.entries.length, value?.truncated]).toEqual([MAX_LISTING_NAMES, true])
})
