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
  type Primitives,
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
    const values = { adapterSchemaValues: { chart: 'a"b.edn', timeoutSec: 60, params: "a=1\nb=2" } }
    const made = renderToStaticMarkup(React.createElement(ConfigFields, { ...host, ...creating(values) }))
    expect(made).toContain('<div>Chart</div><input placeholder="" value="a&quot;b.edn"/>')
    expect(made).toContain('<input type="number" min="0" placeholder="0" value="60"/>')
    expect(made).toContain('<textarea placeholder="">a=1\nb=2</textarea>')
    expect(made).toContain('<select><option value="" selected="">default</option><option value="error">error</option>')
    expect(made.match(/<label /g)).toHaveLength(9)
    const edited = renderToStaticMarkup(React.createElement(ConfigFields, { ...host, ...editing({ chart: "c.edn" }) }))
    expect(edited).toContain('<div>Chart</div><input placeholder="" value="c.edn"/>')
    expect(edited).toContain('<div>Grace (s)</div><input type="number" min="0" placeholder="15" value="15"/>')
    // A run takes a limit that is no number as missing.
    const wrong = renderToStaticMarkup(React.createElement(ConfigFields, { ...host, ...editing({ graceSec: "soon" }) }))
    expect(wrong).toContain('placeholder="15" value="15"/>')
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

describe("createConfigFields", () => {
  interface Drawn {
    readonly value: string | number
    readonly placeholder?: string
    readonly onCommit: (value: never) => void
  }

  /** Draws the form with stub fields, and returns each one's props by label. */
  function drawn(props: ConfigFieldsProps): { html: string; fields: Map<string, Drawn> } {
    const fields = new Map<string, Drawn>()
    const order: Drawn[] = []
    const draft = (tag: string) => (one: Drawn) => {
      order.push(one)
      return React.createElement(tag, null, String(one.value))
    }
    const labels: string[] = []
    const field: Primitives["Field"] = ({ label, children }) => {
      if (!React.isValidElement(children) || children.type !== "select") labels.push(label)
      return React.createElement("p", null, label, ": ", children)
    }
    const primitives = { Field: field, DraftInput: draft("i"), DraftNumberInput: draft("b") }
    const ConfigFields = createConfigFields(React, primitives)
    const html = renderToStaticMarkup(React.createElement(ConfigFields, props))
    for (const [index, label] of labels.entries()) {
      const one = order[index]
      if (one !== undefined) fields.set(label, one)
    }
    return { html, fields }
  }

  function commit(fields: Map<string, Drawn>, label: string, value: string | number): void {
    const onCommit: ((value: never) => void) | undefined = fields.get(label)?.onCommit
    Reflect.apply(onCommit ?? (() => undefined), null, [value])
  }

  test("creates an agent with values and set", () => {
    const patches: object[] = []
    const values = { adapterSchemaValues: { chart: "a.edn", input: "i" } }
    const { html, fields } = drawn(creating(values, patch => void patches.push(patch)))
    expect(html).toContain("<p>Chart: <i>a.edn</i></p>")
    expect(html).toContain("<p>Grace (s): <b>15</b></p>")
    expect(fields.get("Work directory")).toMatchObject({ value: "", placeholder: ".escapement" })
    commit(fields, "Chart", "b.edn")
    commit(fields, "Time limit (s)", 60)
    expect(patches).toEqual([
      { adapterSchemaValues: { chart: "b.edn", input: "i" } },
      { adapterSchemaValues: { chart: "a.edn", input: "i", timeoutSec: 60 } },
    ])
  })

  test("edits an agent with config, eff and mark; an emptied field is removed", () => {
    const marks: unknown[] = []
    const mark: ConfigFieldsProps["mark"] = (...one) => void marks.push(one)
    const unsaved = new Map<string, unknown>([["chart", "unsaved.edn"]])
    const eff: ConfigFieldsProps["eff"] = (_, key, original) =>
      unsaved.has(key) ? JSON.parse(JSON.stringify(unsaved.get(key))) : original
    const { html, fields } = drawn(editing({ chart: "a.edn", timeoutSec: 9, params: { a: 1, b: "x" } }, { eff, mark }))
    expect(html).toContain("<p>Chart: <i>unsaved.edn</i></p>")
    expect(html).toContain("<p>Time limit (s): <b>9</b></p>")
    expect(html).toContain("<p>Parameters: <i>a=1\nb=x</i></p>")
    commit(fields, "Chart", "b.edn")
    commit(fields, "Chart", "")
    expect(marks).toEqual([
      ["adapterConfig", "chart", "b.edn"],
      ["adapterConfig", "chart", undefined],
    ])
  })
})

test("the log level is chosen from a list, with any host's components", () => {
  const marks: unknown[] = []
  const plain = plainFields(React)
  const form = createConfigFields(React, { ...plain })(
    editing({ logLevel: "warn" }, { mark: (...one) => void marks.push(one) }),
  )
  const selects = React.Children.toArray(form).flatMap(field => {
    if (!React.isValidElement<{ children: React.ReactElement<Record<string, unknown>> }>(field)) return []
    return field.props.children.type === "select" ? [field.props.children.props] : []
  })
  expect(selects).toHaveLength(1)
  expect(selects[0]).toMatchObject({ value: "warn" })
  const onChange = selects[0]?.onChange
  for (const value of ["debug", ""]) if (typeof onChange === "function") onChange({ target: { value } })
  expect(marks).toEqual([
    ["adapterConfig", "logLevel", "debug"],
    ["adapterConfig", "logLevel", undefined],
  ])
})

test("plainFields commit while typing", () => {
  const { DraftInput, DraftNumberInput, DraftTextarea } = plainFields(React)
  const seen: unknown[] = []
  const type = (node: React.ReactNode | Promise<React.ReactNode>, value: string) => {
    if (!React.isValidElement<{ onChange: (change: object) => void }>(node)) throw new Error("no element")
    node.props.onChange({ target: { value } })
  }
  type(DraftInput({ value: "", onCommit: value => seen.push(value) }), "a")
  type(DraftTextarea({ value: "", onCommit: value => seen.push(value) }), "a\nb")
  for (const text of ["12", "", "x"]) type(DraftNumberInput({ value: 0, onCommit: value => seen.push(value) }), text)
  expect(seen).toEqual(["a", "a\nb", 12, 0, 0])
})
