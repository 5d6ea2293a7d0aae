// Bounds the size of files, as a full disk does.
import { dlopen, ptr } from "bun:ffi"

const { setrlimit } = dlopen("libc.so.6", { setrlimit: { args: ["int", "ptr"], returns: "int" } }).symbols

/** Bounds the size of every file: RLIMIT_FSIZE is 1 on Linux. */
export const boundFiles = (bytes: bigint) => setrlimit(1, ptr(new BigUint64Array([bytes, 2n ** 64n - 1n])))
