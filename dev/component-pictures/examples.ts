import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

export const docsFolder = fileURLToPath(new URL("../../docs/", import.meta.url));
/** The guide page with pictures of its examples, and the folder of the pictures. */
export const pageFile = `${docsFolder}guides/components.mdx`;
export const picturesFolder = `${docsFolder}images/components/`;
/** The file with the example that each picture shows. */
export const drawnFile = fileURLToPath(new URL("drawn.json", import.meta.url));

/** An example from the guide that is followed by its picture. */
export interface Example {
    /** The name of the picture's file, without its extension. */
    readonly name: string;
    readonly source: string;
    /** The text for readers who do not see the picture. */
    readonly text: string;
    readonly digest: string;
}

/** Reads the MDX fences of the guide that are followed by a picture in images/components. */
export async function readExamples(): Promise<Example[]> {
    const page = await readFile(pageFile, "utf8");
    const pattern = /^(`{3,})mdx\n([^]*?)\n\1\n\n!\[([^\]]+)\]\(\.\.\/images\/components\/([\w-]+)\.webp\)$/gm;
    return [...page.matchAll(pattern)].map(([, , source = "", text = "", name = ""]) => ({
        name,
        source,
        text,
        digest: createHash("sha256").update(source).digest("hex").slice(0, 16),
    }));
}
