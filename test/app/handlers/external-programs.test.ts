// Tests the person's own editor: its command, its text and what it leaves behind.
import { expect, test } from "bun:test"
import { chmod, readdir } from "node:fs/promises"
import { join } from "node:path"
import { editText } from "../../../src/app/handlers/external-programs.ts"
import { commandWords } from "../../../src/cli/option-value.ts"
import { fileScratch } from "../../scratch.ts"

const scratch = fileScratch()
const state = join(scratch, "state/opentui-sidecar")

/** A program in place of an editor: the file's path is its last argument, `$1` if there is no other. */
async function program(name: string, script: string): Promise<string> {
  const path = join(scratch, name)
  await Bun.write(path, `#!/bin/sh\n${script}\n`)
  await chmod(path, 0o700)
  return path
}

const left = async () => await readdir(state).catch(() => [])
const edit = (text: string, editor: readonly string[]) =>
  editText(text, { editor, directory: state, keeps: () => false })

test("an editor's command is split as by a shell, and nothing in it is run", () => {
  const split = [
    ...["vi", "  code  --wait ", '"/opt/my editor/ed" -n', "'a b'c\\ d", 'emacs -e "(f \\"x\\")" \'\''],
    ...["ed; rm $HOME `x` | y", "'open", "a\\", "", '"a\\b\\$c"'],
  ].map(command => commandWords(command).join("|"))
  expect(split).toEqual([
    ...["vi", "code|--wait", "/opt/my editor/ed|-n", "a bc d", 'emacs|-e|(f "x")|'],
    ...["ed;|rm|$HOME|`x`|||y", "open", "a\\", "", "a\\b$c"],
  ])
})

test("a text in an editor comes back as saved, with control characters made visible, and its file, which only its owner can read, is removed", async () => {
  const add = await program("add", 'printf "second é🎉\\n" >> "$1"')
  expect(await edit("first\n", [add])).toEqual({ type: "edited", text: "first\nsecond é🎉\n", kept: null })
  expect(await edit("one ", [add])).toEqual({ type: "edited", text: "one second é🎉", kept: null })
  const show = await program("mode", 'stat -c %a "$2" > "$2.mode"; cat "$2.mode" > "$2"; rm "$2.mode"')
  expect(await edit("x", [show, "an argument with spaces"])).toEqual({ type: "edited", text: "600", kept: null })
  const steer = await program("steer", 'printf "a\\033[2Jb" > "$1"')
  expect(await edit("", [steer])).toEqual({ type: "edited", text: "a␛[2Jb", kept: null })
  expect(await left()).toEqual([])
})

test("a text in an editor stays as it was if the editor fails or does not exist, with the reason", async () => {
  const fail = await program("fail", 'echo lost > "$1"; exit 3')
  expect(await edit("kept", [fail])).toMatchObject({
    type: "failed",
    why: expect.stringContaining("failed with exit code 3"),
  })
  expect(await edit("kept", [join(scratch, "nobody")])).toMatchObject({ type: "failed" })
  expect(await edit("kept", [])).toMatchObject({ type: "failed" })
  expect(await left()).toEqual([])
})
