import { type Files, withExport } from "../../support/site-fixture.js";
import { countedDocument, type KindOfPart, wordsIn } from "./counted-document.js";

interface PartCounts {
    readonly pages: number;
    readonly counts: Readonly<Partial<Record<KindOfPart, number>>>;
    /** The parts that are neither on a page nor in a warning. */
    readonly lost: readonly string[];
    /** The pages that say that fields are not shown, without a link to them. */
    readonly unlinked: readonly string[];
    readonly warnings: readonly string[];
}

/** Exports a document, and counts its parts on the pages and in the warnings. */
export async function countParts(files: Files, entry: string): Promise<PartCounts> {
    const document = countedDocument(files, entry);
    const counts: Partial<Record<KindOfPart, number>> = {};
    document.parts.forEach(({ kind }) => (counts[kind] = (counts[kind] ?? 0) + 1));
    const found = new Set<string>();
    const unlinked: string[] = [];
    let pages = 0;
    let reasons: readonly string[] = [];
    const kind = /"asyncapi"/.test(document.files[entry] ?? "") ? "asyncapi" : "openapi";
    const settings = { navigation: { groups: [{ group: "API", [kind]: entry }] } };
    await withExport({ ...document.files, "docs.json": JSON.stringify(settings) }, async (site) => {
        for (const file of (await site.files()).filter((each) => each.endsWith(".html"))) {
            const html = await site.read(file);
            pages += 1;
            wordsIn(html.replace(/<[^>]*>/g, "")).forEach((word) => found.add(word));
            unlinked.push(...(/<p class="field-model">Not shown here(?!: <a )/.test(html) ? [file] : []));
        }
        reasons = site.warnings.map(({ reason }) => reason);
        reasons.flatMap(wordsIn).forEach((word) => found.add(word));
    });
    const lost = document.parts.filter(({ words }) => !words.every((word) => found.has(word)));
    return { pages, counts, lost: lost.map(({ kind, place }) => `${kind} ${place}`), unlinked, warnings: reasons };
}
