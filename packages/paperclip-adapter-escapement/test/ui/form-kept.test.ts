// Keeps what the configuration form shows for stored values, what each field commits, and what the host stores.
import { expect, test } from "bun:test"
import * as React from "react"
import { renderToStaticMarkup } from "react-dom/server"
import { capabilities } from "../../src/capabilities.ts"
import { plainFields } from "../../src/ui/config-form.ts"
import { buildConfig, type ConfigFieldsProps, createConfigFields } from "../../src/ui/index.ts"
import { FORM } from "../host.ts"

const form = createConfigFields(React, plainFields(React))

const STORED: readonly (readonly [string, Record<string, unknown>])[] = [
  ["nothing", {}],
  [
    "every field",
    {
      ...{ chart: 'a"b.edn', promptParam: "ask", params: "a=1\nb=2", input: "in.edn", workDir: "/w" },
      ...{ backend: "ollama", logLevel: "debug", timeoutSec: 60, graceSec: 0 },
    },
  ],
  ["values of other types", { chart: 7, params: { a: 1, b: "x" }, logLevel: null, timeoutSec: "9", graceSec: "soon" }],
]

/** The props of a form that creates or edits an agent, and what it commits. */
function propsOf(isCreate: boolean, stored: Record<string, unknown>) {
  const committed: unknown[] = []
  const props: ConfigFieldsProps = {
    isCreate,
    values: isCreate ? { ...FORM, adapterSchemaValues: stored } : null,
    set: isCreate ? patch => void committed.push(patch.adapterSchemaValues) : null,
    config: isCreate ? { backend: "another agent's" } : stored,
    eff: (_, __, original) => original,
    mark: (group, key, value) => void committed.push([group, key, value ?? "(removed)"]),
  }
  return { props, committed }
}

function markup(props: ConfigFieldsProps): string {
  const html = renderToStaticMarkup(React.createElement(() => React.createElement("form", null, form(props))))
  return html.replaceAll(' style="display:block"', "").replaceAll("<label>", "\n<label>")
}

test.each(STORED)("the form of %s", (_, stored) => {
  expect(markup(propsOf(false, stored).props)).toMatchSnapshot()
  expect(markup(propsOf(true, stored).props)).toBe(markup(propsOf(false, stored).props))
})

test("the form shows what was not saved yet, in the host's fields", () => {
  const { props } = propsOf(false, { chart: "a.edn" })
  const eff: ConfigFieldsProps["eff"] = (_, key, original) => (key === "chart" ? JSON.parse('"unsaved.edn"') : original)
  expect(markup({ ...props, eff })).toContain('value="unsaved.edn"')
  const { DraftTextarea: _, ...others } = plainFields(React)
  expect(renderToStaticMarkup(createConfigFields(React, others)(props))).not.toContain("textarea")
})

test.each([true, false])("what each field commits, when the agent is created: %p", isCreate => {
  const { props, committed } = propsOf(isCreate, { chart: "a.edn", input: "i" })
  for (const field of React.Children.toArray(form(props))) {
    if (!React.isValidElement<{ children: React.ReactElement<Record<string, unknown>> }>(field)) continue
    const { type, props } = field.props.children
    const { onChange } = typeof type === "function" ? Reflect.apply(type, null, [props]).props : props
    for (const value of ["7", "", "x"]) onChange({ target: { value } })
  }
  expect(committed.map(one => JSON.stringify(one)).join("\n")).toMatchSnapshot()
})

test("what the host stores of a form", () => {
  const env = { envVars: "A=1\n#no\nB = 2", envBindings: { C: { type: "plain" as const, value: "3" } } }
  const host = { cwd: "/a", command: "esc", model: "smart", promptTemplate: "Do", extraArgs: "--debug", timeoutSec: 5 }
  const forms = [
    ...STORED.map(([, adapterSchemaValues]) => ({ adapterSchemaValues })),
    { ...host, ...env, instructionsFilePath: "AGENTS.md" },
    { ...host, adapterSchemaValues: { timeoutSec: 60, cwd: "/other", unknown: 1 }, envVars: "A=1" },
  ]
  expect(forms.map(one => JSON.stringify(buildConfig({ ...FORM, ...one }))).join("\n")).toMatchSnapshot()
})

test("what the host knows of the adapter", () => {
  const { agentConfigurationDoc, sessionCodec, getConfigSchema, ...data } = capabilities
  expect({ ...data, ...getConfigSchema(), guide: agentConfigurationDoc.split("\n").length }).toMatchSnapshot()
  const stored = [
    { sessionId: "paperclip-1", cwd: "/a", workDir: "/a/w", chart: "c" },
    { sessionId: "x", cwd: 7, more: true },
    ...[7, "../x", "-x", "", "..", "a b"].map(sessionId => ({ sessionId })),
    ...["id", null],
  ]
  const told = stored.map(one => {
    const session = sessionCodec.deserialize(one)
    return [one, session, sessionCodec.serialize(session), sessionCodec.getDisplayId?.(session)]
  })
  expect(told.map(one => JSON.stringify(one)).join("\n")).toMatchSnapshot()
})
