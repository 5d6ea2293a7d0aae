// Escapes text for HTML.

/** Escapes text for HTML and XML, and replaces characters that XML does not allow. */
export function escaped(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\ufffe\uffff]/g, "\ufffd")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;")
}
