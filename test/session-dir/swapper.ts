// Swaps a folder and a link in one step, again and again, until it is terminated.
import { dlopen } from "bun:ffi"
import { workerData } from "node:worker_threads"

const AT_FDCWD = -100
const EXCHANGE = 2

const { renameat2 } = dlopen("libc.so.6", {
  renameat2: { args: ["i32", "cstring", "i32", "cstring", "u32"], returns: "i32" },
}).symbols

const [folder, link] = ["folder", "link"].map(name => Buffer.from(`${workerData}/${name}\0`))
postMessage("ready")
for (;;) renameat2(AT_FDCWD, folder ?? null, AT_FDCWD, link ?? null, EXCHANGE)
