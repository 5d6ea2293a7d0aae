// Tests how the receiver of spans is named: its address, its headers, and what is refused.
import { expect, test } from "bun:test"
import { tracesUrl } from "../../src/cli/option-value.ts"
import { traceOptions } from "../../src/cli/screen-options.ts"

test.each([
  ["http://127.0.0.1:4318", "http://127.0.0.1:4318/v1/traces"],
  ["http://127.0.0.1:4318/", "http://127.0.0.1:4318/v1/traces"],
  ["https://cloud.langfuse.com/api/public/otel", "https://cloud.langfuse.com/api/public/otel/v1/traces"],
  ["http://localhost:6006/v1/traces", "http://localhost:6006/v1/traces"],
])("%s sends to %s", (given, url) => expect(tracesUrl("--otlp", given)).toBe(url))

test("what is no address, or holds a password, is refused", () => {
  for (const text of ["", "localhost:4318", "ftp://a/", "/v1/traces"]) {
    expect(() => tracesUrl("--otlp", text)).toThrow("--otlp: expected http://… or https://…")
  }
  expect(() => tracesUrl("--otlp", "http://me:secret@a/")).toThrow("without a password")
})

test("headers come from OpenTelemetry's variable", () => {
  const read = (headers: string) => traceOptions({ otlp: "http://a" }, { OTEL_EXPORTER_OTLP_HEADERS: headers })?.headers
  expect(read("authorization=Basic%20YQ%3D%3D, x-team=a=b")).toEqual({ authorization: "Basic YQ==", "x-team": "a=b" })
  for (const wrong of ["novalue", "=x", "a b=c", "a=%zz", "a=b\nc"]) {
    expect(() => read(wrong)).toThrow("OTEL_EXPORTER_OTLP_HEADERS: expected name=value")
  }
  expect(traceOptions({}, { OTEL_EXPORTER_OTLP_HEADERS: "novalue" })).toBeNull()
})
