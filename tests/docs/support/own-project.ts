import { codeBlocks, type CodeBlock } from "./documents.js";

export const ownProjectPage = "docs/own-project.md";

export type OwnLanguage = "typescript" | "yaml";

/** Where the packages come from, by the commands that only these readers type. */
const sources = { clone: /^npm run pack\b/m, release: /^npm install @/m };

/** The same for the language of the program. */
const programs = {
    typescript: /static-export init (?!.*--language)|^npm install \.\/pulumi-static-export-\[0-9\]/m,
    yaml: /static-export init .*--language yaml|^pulumi plugin install\b/m,
};

/** The blocks of the page that a reader follows who takes the packages from there and writes in this language. */
export function ownProjectBlocks(source: keyof typeof sources, language: OwnLanguage): CodeBlock[] {
    const others = [
        source === "clone" ? sources.release : sources.clone,
        language === "yaml" ? programs.typescript : programs.yaml,
    ];
    return codeBlocks(ownProjectPage).filter(({ text }) => !others.some((other) => other.test(text)));
}

/** The page's last step is for those who do not go on in the folder. */
export function splitAtEnd(blocks: readonly CodeBlock[]): { steps: CodeBlock[]; end: CodeBlock[] } {
    const at = blocks.findIndex(({ text }) => /^pulumi destroy$/m.test(text));
    return { steps: blocks.slice(0, at), end: blocks.slice(at) };
}
