// Tests the configuration form with the real React: creating an agent, and editing one.
import { afterEach, describe, expect, test } from "bun:test"
import type { CreateConfigValues, TranscriptEntry } from "@paperclipai/adapter-utils"
import * as React from "react"
import { renderToStaticMarkup } from "react-dom/server"
import { plainFields } from "../../src/ui/config-form.ts"
import {
  type ConfigFieldsProps,
  createConfigFields,
  EscapementConfigFields,
  escapementUIAdapter,
} from "../../src/ui/index.ts"
import { FORM } from "../host.ts"

/** The host's types (`ui/src/adapters/types.ts`), copied because it does not publish them. */
interface AdapterConfigFieldsProps {
  mode: "create" | "edit"
  isCreate: boolean
  adapterType: string
  values: CreateConfigValues | null
  set: ((patch: Partial<CreateConfigValues>) => void) | null
  config: Record<string, unknown>
  eff: <T>(group: "adapterConfig", field: string, original: T) => T
  mark: (group: "adapterConfig", field: string, value: unknown) => void
  models: { id: string; label: string }[]
}
interface UIAdapterModule {
  type: string
  label: string
  parseStdoutLine: (line: string, ts: string) => TranscriptEntry[]
  ConfigFields: React.ComponentType<AdapterConfigFieldsProps>
  buildAdapterConfig: (values: CreateConfigValues) => Record<string, unknown>
}

const registered: UIAdapterModule = escapementUIAdapter

const stored: <T>(group: "adapterConfig", field: string, original: T) => T = (_, __, original) => original
const none = { values: null, set: null, config: {}, eff: stored, mark: () => undefined }
const host: Pick<AdapterConfigFieldsProps, "mode" | "adapterType" | "models"> = {
  mode: "edit",
  adapterType: "escapement_local",
  models: [],
}

function creating(values: object, set: (patch: object) => void = () => undefined): ConfigFieldsProps {
  return { ...none, isCreate: true, values: { ...FORM, ...values }, set }
}

function editing(config: Record<string, unknown>, more: Partial<ConfigFieldsProps> = {}): ConfigFieldsProps {
  return { ...none, isCreate: false, config, ...more }
}

/** Shares React as Paperclip's page does at its start. */
function shareReact(react: unknown): void {
  Reflect.set(globalThis, "__paperclipPluginBridge__", { react, reactDom: {}, sdkUi: {} })
}

afterEach(() => {
  Reflect.deleteProperty(globalThis, "__paperclipPluginBridge__")
})

describe("escapementUIAdapter", () => {
  test("has exactly five fields", () => {
    expect(Object.keys(registered).sort()).toEqual(
      ["ConfigFields", "buildAdapterConfig", "label", "parseStdoutLine", "type"].sort(),
    )
    expect(registered).toMatchObject({ type: "escapement_local", label: "Escapement (local)" })
    expect(registered.parseStdoutLine("x", "T")).toEqual([{ kind: "stdout", ts: "T", text: "x" }])
    expect(registered.buildAdapterConfig(FORM)).toEqual({ timeoutSec: 0, graceSec: 15 })
  })

  test("draws with the React that the host's page shares", () => {
    shareReact(React)
    const { ConfigFields } = registered
    const form = createConfigFields(React, plainFields(React))
    const values = { adapterSchemaValues: { chart: 'a"b.edn', timeoutSec: 60, params: "a=1\nb=2" } }
    for (const props of [creating(values), editing({ chart: "c.edn", graceSec: "soon" })])
      expect(renderToStaticMarkup(React.createElement(ConfigFields, { ...host, ...props }))).toBe(
        renderToStaticMarkup(React.createElement(() => form(props))),
      )
  })

  test("keeps its components between renders, so that typed text stays", () => {
    shareReact(React)
    const typesOf = (node: React.ReactNode) =>
      React.Children.toArray(node).flatMap(one => (React.isValidElement(one) ? [one.type] : []))
    const first = typesOf(EscapementConfigFields(creating({})))
    expect(first).toHaveLength(9)
    expect(typesOf(EscapementConfigFields(editing({})))).toEqual(first)
  })

  test.each([undefined, null, {}, { react: null }, { react: { createElement: 1 } }])(
    "explains what is missing on a page that shares no React: %j",
    bridge => {
      Reflect.set(globalThis, "__paperclipPluginBridge__", bridge)
      const element = React.createElement(EscapementConfigFields, editing({}))
      expect(renderToStaticMarkup(element)).toContain("createConfigFields(React, primitives)")
    },
  )
})
