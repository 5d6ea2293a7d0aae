// Reads an agent's settings from the stored configuration; a value of the wrong type counts as missing.
import { resolve } from "node:path"
import { asNumber, asString, asStringArray, parseObject } from "@paperclipai/adapter-utils/server-utils"

const GRACE_SEC = 15

/** A run's settings apart from its session. Unset texts are empty. */
export type Settings = Readonly<ReturnType<typeof readSettings>>

export interface RunError {
  readonly code: string
  readonly message: string
  readonly hint: string
}

/** Never throws. The caller passes the final `cwd`, because a workspace may override the configured one. */
export function readSettings(config: Record<string, unknown>, cwd: string) {
  const text = (key: string, fallback = "") => asString(config[key], fallback).trim() || fallback
  return {
    command: text("command", "escapement"),
    chart: text("chart"),
    /** Absolute, as is `workDir`. */
    cwd,
    workDir: resolve(cwd, text("workDir", ".escapement")),
    model: text("model"),
    backend: text("backend"),
    input: text("input"),
    logLevel: text("logLevel"),
    instructionsFilePath: text("instructionsFilePath"),
    /** Empty for the default. */
    promptTemplate: asString(config.promptTemplate, ""),
    promptParam: text("promptParam", "prompt"),
    /** Each as `key=value`, once `configErrorOf` has found no error. */
    params: readParams(config.params),
    extraArgs: readArgs(config.extraArgs),
    env: Object.fromEntries(Object.entries(parseObject(config.env)).filter(isText)),
    /** Seconds; 0 is no limit. */
    timeoutSec: Math.max(0, asNumber(config.timeoutSec, 0)),
    graceSec: Math.max(0, asNumber(config.graceSec, GRACE_SEC)),
  }
}

/** The first error in the settings; null if there is none. */
export function configErrorOf({ chart, params, promptParam }: Settings): RunError | null {
  if (chart === "") {
    const hint = "Open the agent, and set it in Edit configuration → Configuration → Chart."
    return { code: "escapement_chart_missing", message: "No chart is configured.", hint }
  }
  if (chart.startsWith("-")) {
    const message = `The chart must not begin with a dash, got ${chart}`
    return { code: "escapement_chart_invalid", message, hint: "Write it as a path: ./-name." }
  }
  const wrong = [...params, `${promptParam}=`].find(param => !/^[A-Za-z_*][\w.*+!?/-]*=/.test(param))
  if (wrong === undefined) return null
  const [name = "", value] = wrong.split("=", 2)
  const message = value === undefined ? `Write key=value: ${wrong}` : `Invalid parameter name: ${name}`
  return { code: "escapement_param_invalid", message, hint: "Use letters, digits and .*+!?/-_ in names." }
}

/** An object of values, or lines of `key=value`. */
function readParams(value: unknown): readonly string[] {
  if (typeof value !== "string") return Object.entries(parseObject(value)).map(([key, one]) => `${key}=${one}`)
  const lines = value.split("\n").map(line => line.trim())
  return lines.filter(line => line !== "").map(line => line.replace(/\s*=\s*/, "="))
}

/** The host's form stores a list, or one text of words. */
function readArgs(value: unknown): readonly string[] {
  return typeof value === "string" ? value.split(/\s+/).filter(word => word !== "") : asStringArray(value)
}

function isText(entry: readonly [string, unknown]): entry is [string, string] {
  return typeof entry[1] === "string"
}
