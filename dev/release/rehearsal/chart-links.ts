import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { slug } from "github-slugger";

interface Repository {
    /** The checkout of the release. */
    readonly root: string;
    readonly owner: string;
    readonly version: string;
}

/**
 * Follows the links in a text of a released chart: to files and headings of the release's repository, and to headings of
 * the text. Links to other sites are not followed.
 *
 * @param file - relative links count only in Markdown
 * @returns the links that lead nowhere
 */
export function brokenLinks(text: string, repository: Repository, file = ""): string[] {
    const { root, owner, version } = repository;
    const name = `${owner}/pulumi-static-export`;
    const files = new RegExp(
        `https://(?:github\\.com/${name}/blob/v${version}|raw\\.githubusercontent\\.com/${name}/main)/`,
    );
    const inRepository = [...text.matchAll(/https:\/\/(?:raw\.githubusercontent|github)\.com\/[^\s)"'`\\]+/g)].filter(
        ([address]) => address.includes("/blob/") || address.includes("raw.github"),
    );
    const inMarkdown = [...(file.endsWith(".md") ? text : "").matchAll(/\]\(([\w./#%~-]+)\)/g)].filter(
        ([, link = ""]) => !link.startsWith("#") || !hasHeading(text, link.slice(1)),
    );
    return [
        ...inRepository.flatMap(([address]) => {
            const [, path = "", anchor] = /^([^#]*)(?:#(.*))?$/.exec(address.replace(files, "")) ?? [];
            const target = join(root, path);
            const isThere = files.test(address) && existsSync(target);
            return isThere && (anchor === undefined || hasHeading(readFileSync(target, "utf8"), anchor))
                ? []
                : [address];
        }),
        ...inMarkdown.map(([, link = ""]) => link),
    ];
}

function hasHeading(text: string, anchor: string): boolean {
    const headings = text.matchAll(/^#+ (.+)$/gm);
    return [...headings].some(([, heading = ""]) => slug(heading.replaceAll(/[`*]/g, "")) === anchor);
}
