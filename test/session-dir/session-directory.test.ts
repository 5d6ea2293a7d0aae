import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { writeFileSync } from "node:fs"
import { appendFile, mkdir, mkdtemp, realpath, rename, rm, symlink, truncate, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { MAX_LISTING_NAMES, MAX_READ_BYTES, SessionDirectory } from "../../src/session-dir/session-directory.ts"
import { ManualClock } from "../transport/manual-clock.ts"

let scratch = ""
let run = ""
beforeAll(async () => {
  scratch = await realpath(await mkdtemp(join(tmpdir(), "sidecar-disk-")))
  run = join(scratch, "run")
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
afterAll(() => rm(scratch, { recursive: true, force: true }))

async function opened(path = run): Promise<SessionDirectory> {
  const { value, error } = await SessionDirectory.open(path)
  if (value === undefined) throw new Error(error)
  return value
}

test("a directory is opened by its real path; anything else is refused in words", async () => {
  expect((await opened(join(scratch, "alias"))).path).toBe(run)
  expect(await SessionDirectory.open(join(scratch, "none"))).toEqual({ error: `${scratch}/none: no such file` })
  expect(await SessionDirectory.open(join(scratch, "secret"))).toEqual({ error: `${scratch}/secret: not a directory` })
  expect(await SessionDirectory.open("/no\x1b[2J\nwhere")).toEqual({ error: "/no␛[2J␊where: no such file" })
})

test("what lies below is read, also through links that stay inside", async () => {
  const directory = await opened()
  expect((await directory.read("nodes/a/0/seed.edn")).value).toEqual({ text: "{:a 1}", end: 6, size: 6 })
  expect((await directory.read("inside/0/seed.edn")).value?.text).toBe("{:a 1}")
  expect((await directory.read("nodes/../text")).value?.text).toBe("grün und blau")
  const found = await directory.stat("inside/0/seed.edn")
  expect(found.value).toMatchObject({ path: join(run, "nodes/a/0/seed.edn"), size: 6 })
  expect(found.value?.changedAt).toBeGreaterThan(1e12)
})

test("a range is read, and no half character at its end", async () => {
  const directory = await opened()
  // g r ü(2) n: the third byte is half of the ü.
  expect((await directory.read("text", 0, 3)).value).toEqual({ text: "gr", end: 3, size: 14 })
  expect((await directory.read("text", 10)).value?.text).toBe("blau")
  expect((await directory.read("text", 99)).value?.text).toBe("")
})

describe("is refused in one clear line", () => {
  const cases: readonly (readonly [string, string, string])[] = [
    ["a link that leads out", "leak", "leak: a link, which leads outside the session directory"],
    [
      "a way through a link that leads out",
      "up/secret",
      "up/secret: a link, which leads outside the session directory",
    ],
    ["dots that lead out", "../secret", "../secret: lies outside the session directory"],
    ["dots in the middle", "nodes/../../secret", "nodes/../../secret: lies outside the session directory"],
    [
      "a neighbour whose name begins alike",
      "../run-too/secret",
      "../run-too/secret: lies outside the session directory",
    ],
    ["an absolute path", "/etc/passwd", "/etc/passwd: an absolute path, which lies outside the session directory"],
    ["a pipe, without waiting for it", "pipe", "pipe: not a regular file"],
    ["a directory", "nodes", "nodes: a directory, no file"],
    ["what is not there", "none", "none: no such file"],
    ["a link to nothing", "broken", "broken: no such file"],
    ["a link to itself", "circle", "circle: too many symbolic links"],
    ["a name with terminal codes", "\x1b[2J\n", "␛[2J␊: no such file"],
  ]
  for (const [name, path, error] of cases) {
    test(name, async () => {
      const directory = await opened()
      expect(await directory.read(path)).toEqual({ error })
      expect(await directory.stat(path)).toEqual({ error })
    })
  }
  test("a name that no file can have", async () => {
    expect((await (await opened()).read("a\0b")).error).toStartWith("a␀b: ")
    expect((await (await opened()).read("x".repeat(5000))).error).toEndWith(": file name too long")
  })
  test("a folder outside", async () => {
    const directory = await opened()
    expect(await directory.list("up")).toEqual({ error: "up: a link, which leads outside the session directory" })
    expect(await directory.list("text")).toHaveProperty("error")
  })
})

test("a folder lists its files and folders by name, and what may not be read as refused", async () => {
  const directory = await opened()
  const { value } = await directory.list("")
  expect(value?.truncated).toBe(false)
  expect(value?.entries.map(({ name, type, size }) => [name, type, size])).toEqual([
    ["broken", "refused", 0],
    ["circle", "refused", 0],
    ["inside", "folder", 0],
    ["leak", "refused", 0],
    ["nodes", "folder", 0],
    ["pipe", "refused", 0],
    ["text", "file", 14],
    ["up", "refused", 0],
  ])
  expect((await directory.list("inside/0")).value?.entries).toMatchObject([{ name: "seed.edn", type: "file", size: 6 }])
})

test("a name with terminal codes is listed with a title that may be shown, and is read by its name", async () => {
  await mkdir(join(run, "odd"))
  await writeFile(join(run, "odd", "a\x1b[2Jb"), "x")
  const directory = await opened()
  const { value } = await directory.list("odd")
  expect(value?.entries).toMatchObject([{ name: "a\x1b[2Jb", title: "a␛[2Jb" }])
  expect((await directory.read(`odd/${value?.entries[0]?.name}`)).value?.text).toBe("x")
})

test("one read is 16 MB at most, and one listing 10,000 names", async () => {
  await writeFile(join(run, "huge"), "")
  await truncate(join(run, "huge"), MAX_READ_BYTES + 1)
  const directory = await opened()
  expect((await directory.read("huge")).value).toMatchObject({ end: MAX_READ_BYTES, size: MAX_READ_BYTES + 1 })
  await mkdir(join(run, "many"))
  for (let i = 0; i <= MAX_LISTING_NAMES; i++) writeFileSync(join(run, "many", `${i}`), "")
  const { value } = await directory.list("many")
  expect([value?.entries.length, value?.truncated]).toEqual([MAX_LISTING_NAMES, true])
})

describe("a file that is followed", () => {
  /** What a tail told, as it stands after it has looked `looks` times. */
  class Told {
    readonly clock = new ManualClock()
    readonly said: string[] = []
    tail: { stop(): void } | null = null

    async follow(name: string, options: { lastBytes?: number } = {}): Promise<this> {
      const directory = await opened()
      const sink = {
        lines: ({ lines, remainder: rest }: { lines: readonly unknown[]; remainder: unknown }) => {
          for (const line of lines) this.said.push(String(line))
          if (rest !== null) this.said.push(`(${rest})`)
        },
        restart: () => void this.said.push("restart"),
        failed: (why: string) => void this.said.push(`failed ${why}`),
      }
      this.tail = directory.follow(name, sink, { ...options, clock: this.clock })
      await this.look()
      return this
    }

    /** Lets it look once: it has looked when it sets its next alarm. */
    async look(): Promise<readonly string[]> {
      const before = this.said.length
      await this.clock.idle()
      this.clock.advance(500)
      await this.clock.idle()
      return this.said.slice(before)
    }
  }

  test("gives its lines, then those that are appended, and says what is torn", async () => {
    await writeFile(join(run, "grows"), "one\ntwo\nthr")
    const told = await new Told().follow("grows")
    expect(told.said).toEqual(["one", "two", "(thr)"])
    expect(await told.look()).toEqual([])
    await appendFile(join(run, "grows"), "ee\nfour\n")
    expect(await told.look()).toEqual(["three", "four", "()"])
    told.tail?.stop()
  })

  test("begins again when it shrinks, and when another takes its name", async () => {
    await writeFile(join(run, "shrinks"), "one\ntwo\n")
    const told = await new Told().follow("shrinks")
    await truncate(join(run, "shrinks"), 4)
    expect(await told.look()).toEqual(["restart", "one", "()"])
    await writeFile(join(run, "other"), "un\ndeux\ntrois\n")
    await rename(join(run, "other"), join(run, "shrinks"))
    expect(await told.look()).toEqual(["restart", "un", "deux", "trois", "()"])
    told.tail?.stop()
  })

  test("may begin near the end, with the first whole line", async () => {
    await writeFile(join(run, "long"), "one\ntwo\nthree\nfour")
    const told = await new Told().follow("long", { lastBytes: 8 })
    expect(told.said).toEqual(["(four)"])
    told.tail?.stop()
    const edge = await new Told().follow("long", { lastBytes: 10 })
    expect(edge.said).toEqual(["three", "(four)"])
    edge.tail?.stop()
  })

  test("says once why it cannot be read, waits for it, and refuses a link out put in its place", async () => {
    const told = await new Told().follow("late")
    expect(told.said).toEqual(["failed late: no such file"])
    expect(await told.look()).toEqual([])
    await writeFile(join(run, "late"), "here\n")
    expect(await told.look()).toEqual(["here", "()"])
    await rm(join(run, "late"))
    await symlink(join(scratch, "secret"), join(run, "late"))
    expect(await told.look()).toEqual(["failed late: a link, which leads outside the session directory"])
    told.tail?.stop()
  })
})
