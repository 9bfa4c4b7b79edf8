import assert from "node:assert/strict";
import { codeBlocks } from "../../../docs/support/documents.js";

/** Returns the files of the guide's program in one language, by name, with another domain and version. */
export function guideProgram(
    language: string,
    { domain, version }: { domain: string; version: string },
): Record<string, string> {
    const blocks = codeBlocks("docs/guides/every-language.md").filter(({ title }) => title?.startsWith(`${language}/`));
    const files = blocks.map(({ title = "", text }) => [
        title.slice(language.length + 1),
        text.replace("docs.example.com", domain).replace("2026-11-01", version),
    ]);
    assert.ok(
        files.some(([, text]) => text?.includes(domain) && text.includes(version)),
        language,
    );
    return Object.fromEntries(files) as Record<string, string>;
}
